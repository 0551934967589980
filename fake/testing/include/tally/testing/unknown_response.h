#pragma once

#include <tally/fake/logged_request.h>

#include <gtest/gtest.h>

namespace tally::testing::detail {

/// For a matcher that only the response of `request` could answer. The test fails at once, since a negated
/// matcher would match although nobody knows.
inline void failWithoutResponse(const fake::LoggedRequest& request) {
  ADD_FAILURE()
      << "the log lacks the response of request " << request.number << " (" << request
      << "). Clear it before the requests that matter, or keep more: ServiceOptions::requestLogBytes.";
}

}  // namespace tally::testing::detail
