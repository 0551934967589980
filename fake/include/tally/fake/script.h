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

/// What goes wrong with a request on its way, or on the way back.
enum class Fault : std::uint8_t {
  none,
  connectionRefused,  ///< Not a byte reaches the service.
  reset,              ///< The connection breaks before the service has read the request: it is not processed.
  answerLost,         ///< The request is processed, and the connection breaks before the answer.
  truncatedBody,      ///< The request is processed, and the second half of the answer's body is missing.
  garbledBody,        ///< The request is processed, and the answer's body is not what was sent.
  emptyPage,          ///< A list or a search is answered with an empty page that claims that more follow.
};

[[nodiscard]] std::string_view toString(Fault fault) noexcept;

std::ostream& operator<<(std::ostream& out, Fault fault);

/// A fault that a test arranges: it happens to the next requests that match, then the service works again.
/// Scripts that match the same requests happen in the order in which they were added; one that says nothing
/// but `times` lets so many pass.
struct Script {
  std::string operation{};  ///< Such as `payment_records.report_failed`; empty: any.
  std::string object{};     ///< The identifier in the request's path; empty: any, and none.
  int times = 1;            ///< How many requests; at least 1.
  Fault fault = Fault::none;
  /// Any error answer of the API description, as `lock_timeout`: the request gets it and is not processed.
  std::string error{};
  /// What `Service-Rate-Limited-Reason` says, for an error that bears it. Nothing: `global-rate`; empty: the
  /// header is left out.
  std::optional<std::string> rateLimitedReason{};
  /// Any answer, in the place of `error`.
  std::optional<HttpResponse> answer{};
  /// Put on the answer, such as `Retry-After`.
  std::vector<Header> headers{};
  /// How much longer than usual the answer takes. From 0 to 100 years.
  std::chrono::nanoseconds latency{0};

  bool operator==(const Script&) const = default;
};

/// As `payment_records.report_failed of pr_1: answer lost (2 times left)`.
std::ostream& operator<<(std::ostream& out, const Script& script);

}  // namespace tally::fake
