#pragma once

#include <tally/detail/cpp20.h>

// Includes all of tally::testing, for tests of an application with GoogleTest and GoogleMock. If `using
// namespace tally` makes `testing` ambiguous, write `::testing` for the namespace of GoogleTest.

#include <tally/testing/error_matchers.h>
#include <tally/testing/fake_test.h>
#include <tally/testing/log_matchers.h>
#include <tally/testing/mock_transport.h>
#include <tally/testing/printers.h>
#include <tally/testing/request_matchers.h>
#include <tally/testing/result_matchers.h>
#include <tally/testing/state_matcher.h>
#include <tally/testing/time_matcher.h>
#include <tally/testing/verification_matchers.h>
