#pragma once

#include <tally/detail/cpp20.h>

#include <tally/fake/logged_request.h>

#include <gtest/gtest.h>

namespace tally::testing::detail {

/// Fails the test if a matcher needs the response of `request`, which the log lacks. Otherwise, a negated
/// matcher would match.
inline void failWithoutResponse(const fake::LoggedRequest& request) {
  ADD_FAILURE()
      << "the log lacks the response of request " << request.number << " (" << request
      << "). Clear the log before the requests that matter, or keep more: ServiceOptions::requestLogBytes.";
}

}  // namespace tally::testing::detail
