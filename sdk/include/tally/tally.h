#pragma once

// The client with all resources. Separate headers: <tally/observers.h> (logs and metrics), <tally/limits.h>
// (the documented limits), <tally/fake/service.h> (the fake).

#include <tally/client.h>
#include <tally/curl_transport.h>
#include <tally/error.h>
#include <tally/error_codes.h>
#include <tally/pacer.h>
#include <tally/result.h>
#include <tally/version.h>
