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
///
/// Where a fault says that the request is processed, it waits for one that gets as far as its object: one
/// that a limit, its parameters or a lock refuses, or whose sender goes away while it waits for a lock, is
/// answered as ever, and leaves the fault for the next. Of those that its object refuses – it is not there,
/// or its state does not allow it – an answer can be lost or spoiled too; `emptyPage` and
/// `errorAfterProcessing` wait for one that does what it asks for.
enum class Fault : std::uint8_t {
  none,
  connectionRefused,  ///< Not a byte reaches the service.
  reset,              ///< The connection breaks before the service has read the request: it is not processed.
  answerLost,         ///< The request is processed, and the connection breaks before the answer.
  truncatedBody,      ///< The request is processed, and the second half of the answer's body is missing.
  garbledBody,        ///< The request is processed, and the answer's body is not what was sent.
  emptyPage,          ///< A list or a search is answered with an empty page that claims that more follow.
  /// The request is processed, and a server error is answered: `Script::answer`, or else `api_error`.
  errorAfterProcessing,
};

[[nodiscard]] std::string_view toString(Fault fault) noexcept;

std::ostream& operator<<(std::ostream& out, Fault fault);

/// A fault that a test arranges: it happens to the next requests that match, then the service works again.
/// Scripts that match the same requests happen in the order in which they were added, at most one to a
/// request; one that says nothing but `times` lets so many pass.
///
/// A script is used up by happening, as a whole: `headers` and `latency` belong to the answer to which its
/// fault happens, and, without a fault, to whatever answer there is, refusals too. No script happens to a
/// request that is refused for its key, its account or its path, and in place of processing one is refused
/// before any limit is asked.
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
  /// Any answer, in the place of `error`; with `Fault::errorAfterProcessing` one of a status from 500.
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
