#pragma once

#include <tally/detail/cpp20.h>

#include <string>

#include <tally/fake/logged_request.h>
#include <tally/testing/part_matcher.h>
#include <tally/testing/unknown_response.h>

#include <gmock/gmock.h>

// Matchers for the requests in the log of a fake::Service, as in `EXPECT_THAT(service.requests().list(),
// ElementsAre(…))`. Each takes a value or a matcher for it.

namespace tally::testing {

using LoggedMatcher = ::testing::Matcher<const fake::LoggedRequest&>;

/// Matches the operation, such as `payment_records.report_failed`.
inline LoggedMatcher Operation(const ::testing::Matcher<std::string>& name) {
  return detail::part<fake::LoggedRequest>("operation", &fake::LoggedRequest::operation, name);
}

/// Matches the identifier in the path.
inline LoggedMatcher OnObject(const ::testing::Matcher<std::string>& id) {
  return detail::part<fake::LoggedRequest>("object", &fake::LoggedRequest::object, id);
}

/// Matches the status of the response; 0 if a fault left the request without a response.
inline LoggedMatcher HasStatus(const ::testing::Matcher<int>& status) {
  return detail::part<fake::LoggedRequest>("status", &fake::LoggedRequest::status, status);
}

/// Matches the status and the error code of the response, as in `HasStatus(429, "lock_timeout")`.
inline LoggedMatcher HasStatus(const ::testing::Matcher<int>& status,
                               const ::testing::Matcher<std::string>& code) {
  return ::testing::AllOf(HasStatus(status), detail::part<fake::LoggedRequest>(
                                                 "error code", &fake::LoggedRequest::errorCode, code));
}

/// Matches the body of the response; empty if there was none. If the log has dropped the response, the test
/// fails, even if the matcher is negated.
inline LoggedMatcher HasResponseBody(const ::testing::Matcher<std::string>& body) {
  return detail::part<fake::LoggedRequest>(
      "response body",
      [](const fake::LoggedRequest& request) {
        if (request.responseMissing) detail::failWithoutResponse(request);
        return request.response ? request.response->body : "";
      },
      body);
}

/// Matches the limit that refused the request, such as `global_rate`.
inline LoggedMatcher RefusedBy(const ::testing::Matcher<std::string>& limit) {
  return detail::part<fake::LoggedRequest>("limit", &fake::LoggedRequest::limit, limit);
}

/// Matches the injected fault that affected the request.
inline LoggedMatcher HitFault(const ::testing::Matcher<fake::Fault>& fault) {
  return detail::part<fake::LoggedRequest>("fault", &fake::LoggedRequest::fault, fault);
}

}  // namespace tally::testing
