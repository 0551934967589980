// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <string_view>

/// The headers of requests and responses that HTTP itself does not define.
namespace tally::detail::header {

/// Which limit refused the request. A 429 without this header was not caused by a rate limit.
inline constexpr std::string_view rateLimitedReason = "Service-Rate-Limited-Reason";
/// Identifies the request. Lock timeouts have none.
inline constexpr std::string_view requestId = "Request-Id";
/// The connected account to act for.
inline constexpr std::string_view connectedAccount = "Service-Account";

}  // namespace tally::detail::header

namespace tally::detail {

/// The types of the service's own errors.
inline constexpr std::string_view errorTypes[] = {
    "authentication_error", "permission_error", "invalid_request_error", "rate_limit_error", "api_error",
};

}  // namespace tally::detail
