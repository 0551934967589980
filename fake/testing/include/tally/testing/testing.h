#pragma once

// For tests of an application, with GoogleTest and GoogleMock: all of tally::testing. Where `using namespace
// tally` makes `testing` two things, GoogleTest's is `::testing`.

#include <tally/testing/error_matchers.h>
#include <tally/testing/fake_test.h>
#include <tally/testing/log_matchers.h>
#include <tally/testing/mock_transport.h>
#include <tally/testing/request_matchers.h>
#include <tally/testing/result_matchers.h>
#include <tally/testing/time_matcher.h>
