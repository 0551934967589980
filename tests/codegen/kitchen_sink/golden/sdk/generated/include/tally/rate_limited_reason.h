// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <string_view>

#include <tally/open_enum.h>

namespace [[gnu::visibility("default")]] tally {

/// Which limit refused a request.
/// Spec: "Errors".
enum class RateLimitedReason : std::uint8_t {
  globalRate,           ///< Global rate limit exceeded.
  endpointRate,         ///< Rate limit for this specific endpoint exceeded.
  globalConcurrency,    ///< Global concurrency limit exceeded.
  endpointConcurrency,  ///< Concurrency limit for this specific endpoint exceeded.
  resourceSpecific,     ///< Rate limit for a whole resource exceeded.
};

template <>
struct EnumTexts<RateLimitedReason> {
  static constexpr std::string_view values[] = {
      "global-rate",           // globalRate
      "endpoint-rate",         // endpointRate
      "global-concurrency",    // globalConcurrency
      "endpoint-concurrency",  // endpointConcurrency
      "resource-specific",     // resourceSpecific
  };
};

}  // namespace tally
