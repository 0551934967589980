#pragma once

#include <tally/detail/cpp20.h>

// The client with all resources. These headers must be included separately: <tally/log_observer.h>,
// <tally/metrics_observer.h>, <tally/tracing.h>, <tally/wire_log.h>, <tally/recording.h>,
// <tally/retry_policy.h>, <tally/limits.h> (the documented limits) and <tally/fake/service.h> (the fake).

#include <tally/client.h>
#include <tally/curl_transport.h>
#include <tally/error.h>
#include <tally/error_codes.h>
#include <tally/pacer.h>
#include <tally/pacer_share.h>
#include <tally/result.h>
#include <tally/version.h>
