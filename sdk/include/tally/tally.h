#pragma once

// The client, whole. The fake is in <tally/fake/service.h>.

#include <tally/client.h>
#include <tally/curl_transport.h>
#include <tally/error.h>
#include <tally/error_codes.h>
#include <tally/pacer.h>
#include <tally/result.h>
#include <tally/version.h>
