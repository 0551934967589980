// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <string_view>

/// The error codes of the service, for comparison with Error::code().
namespace tally::error_code {

inline constexpr std::string_view keyMissing = "key_missing";
inline constexpr std::string_view keyUnknown = "key_unknown";
inline constexpr std::string_view accountNotConnected = "account_not_connected";
inline constexpr std::string_view pathUnknown = "path_unknown";
inline constexpr std::string_view methodNotAllowed = "method_not_allowed";
inline constexpr std::string_view resourceMissing = "resource_missing";
inline constexpr std::string_view parameterUnknown = "parameter_unknown";
inline constexpr std::string_view parameterMissing = "parameter_missing";
inline constexpr std::string_view parameterInvalid = "parameter_invalid";
inline constexpr std::string_view lockTimeout = "lock_timeout";
inline constexpr std::string_view rateLimit = "rate_limit";
inline constexpr std::string_view readAllocationExceeded = "read_allocation_exceeded";
inline constexpr std::string_view apiError = "api_error";
inline constexpr std::string_view widgetRetired = "widget_retired";

}  // namespace tally::error_code
