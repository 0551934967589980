#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include <tally/clock.h>
#include <tally/fake/fault_rule.h>
#include <tally/transport.h>

namespace tally::fake {

/// A request that was sent to the service, and its response.
struct LoggedRequest {
  std::uint64_t number = 0;  ///< Requests are numbered in the order in which they are logged, from 1.
  Instant time{};            ///< When it arrived, on the service's clock.
  Instant respondedAt{};     ///< When its response arrives.
  std::string account{};     ///< The account that it acts for; empty if its API key or account was refused.
  bool livemode = false;     ///< The mode of the API key.
  std::string operation{};   ///< Such as `payment_records.retrieve`; empty if the path has none.
  std::string object{};      ///< The identifier in the path; empty if there is none.
  std::string method{};      ///< As in HTTP; `request` distinguishes only GET and POST.
  HttpRequest request{};     ///< As received, with its API key.
  int status = 0;            ///< 0 if a fault or a disconnect left it without a response.
  std::string requestId{};   ///< Empty if the service assigned none.
  std::string errorCode{};   ///< The code of the service's own error response; empty if there is none.
  std::string limit{};       ///< The limit that refused it, such as `global_rate`; empty if none did.
  /// Whether the request took effect, whatever the response, and even if there was none.
  bool processed = false;
  Fault fault = Fault::none;  ///< The injected fault that affected it.
  /// What Faults::inject() returned for the rule that applied to it, even if the rule has only headers or
  /// latency; 0 if no rule applied.
  std::uint64_t faultId = 0;
  /// Whether the request's own `Tally-Fake-Fault` header has applied to it: see ServiceOptions::faultHeader.
  bool faultFromHeader = false;
  std::chrono::nanoseconds addedLatency{0};  ///< Added by that rule, not counting the pauses in the body.
  /// The response as it was sent. Empty if there was none, while a search is in progress, or if the log has
  /// dropped it: the responses to the oldest requests are dropped first.
  std::optional<HttpResponse> response{};
  /// The call that the request belongs to, and the number of its attempt, from 1, as given by the
  /// `Tally-Call` header: see ClientOptions::markAttempts. Without this header, they are empty and 0.
  std::string call{};
  int attempt = 0;
  /// Whether there is or will be a response that `response` lacks: the log has dropped it, or a search is in
  /// progress.
  bool responseMissing = false;

  /// Whether an injected fault applied to it, even if its rule has only headers or latency.
  [[nodiscard]] bool hasFault() const noexcept {
    return fault != Fault::none || faultId != 0 || faultFromHeader;
  }
};

/// Prints a line such as `2026-01-01T00:00:00Z POST payment_records.report_failed of pr_1: 429 lock_timeout`,
/// without the API key or the body. What the response does not show is added, as in `no response, response
/// lost, processed`.
std::ostream& operator<<(std::ostream& out, const LoggedRequest& request);

}  // namespace tally::fake
