#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tally/transport.h>

namespace tally::fake {

/// A fault that is injected into a request or its response.
///
/// A fault for which the request is processed applies to a request that reaches its object. Requests that a
/// limit, their parameters or a lock refuses, or whose sender disconnects while it waits for a lock, are
/// handled as usual and leave the fault for the next one. If the object refuses the request, because it does
/// not exist or its state does not allow it, the response can still be lost or corrupted; `emptyPage` and
/// `errorAfterProcessing` wait for a request that succeeds.
enum class Fault : std::uint8_t {
  none,
  connectionRefused,  ///< No byte reaches the service.
  reset,              ///< The connection breaks before the service has read the request: it is not processed.
  responseLost,       ///< The request is processed, and the connection breaks before the response.
  truncatedBody,      ///< The request is processed, and the second half of the response's body is missing.
  garbledBody,  ///< The request is processed, and the response's body is corrupted: neither JSON nor UTF-8.
  emptyPage,    ///< A list or a search responds with an empty page that claims that more follow.
  /// The request is processed, and the response is a server error: `FaultRule::response`, or else
  /// `api_error`.
  errorAfterProcessing,
};

/// In words, such as `response lost`.
[[nodiscard]] std::string_view toString(Fault fault) noexcept;

std::ostream& operator<<(std::ostream& out, Fault fault);

/// A rule for fault injection: it applies to the next matching requests, then the service works again.
/// Rules that match the same requests apply in the order in which they were added, at most one per request.
/// A rule with only `times` lets that number of requests pass.
///
/// A rule is consumed as a whole: `headers` and `latency` belong to the response to which its fault
/// happens, or, without a fault, to any response, including refusals. No rule applies to a request that is
/// refused for its API key, its account or its path. A rule that replaces processing applies before any
/// limit is checked.
struct FaultRule {
  std::string operation{};  ///< Such as `payment_records.report_failed`; empty: any.
  std::string object{};     ///< The identifier in the request's path; empty: any, or none.
  int times = 1;            ///< How many requests it applies to; at least 1.
  Fault fault = Fault::none;
  /// The name of an error response in the API description, such as `lock_timeout`: the request gets it and is
  /// not processed.
  std::string error{};
  /// The value of `Service-Rate-Limited-Reason`, for errors that have this header. Not set: `global-rate`; an
  /// empty text: no header.
  std::optional<std::string> rateLimitedReason{};
  /// Any response, instead of `error`; with `Fault::errorAfterProcessing`, its status is at least 500.
  std::optional<HttpResponse> response{};
  /// Added to the response, such as `Retry-After`.
  std::vector<Header> headers{};
  /// Added to the usual time until the response. From 0 to 100 years.
  std::chrono::nanoseconds latency{0};

  bool operator==(const FaultRule&) const = default;
};

/// Prints a line such as `payment_records.report_failed of pr_1: response lost (2 times left)`.
std::ostream& operator<<(std::ostream& out, const FaultRule& rule);

}  // namespace tally::fake
