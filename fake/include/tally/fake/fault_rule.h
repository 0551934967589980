#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tally/clock.h>
#include <tally/fake/text_pattern.h>
#include <tally/transport.h>

namespace tally::fake {

/// A fault that is injected into a request or its response.
///
/// A fault that lets the request be processed applies only to a request that reaches its object. A request
/// that is refused because of a limit, its parameters or a lock is handled as usual and leaves the fault for
/// the next request. The same applies to a request whose sender disconnects while it waits for a lock. If the
/// object refuses the request, because it does not exist or its state does not allow it, the response can
/// still be lost or corrupted; `emptyPage` and `errorAfterProcessing` wait for a request that succeeds.
enum class Fault : std::uint8_t {
  none,
  connectionRefused,  ///< No byte reaches the service.
  /// The connection breaks before the service has read the request, which is not processed.
  reset,
  responseLost,   ///< The request is processed, and the connection breaks before the response.
  truncatedBody,  ///< The request is processed, and the second half of the response's body is missing.
  garbledBody,    ///< The request is processed, and the response's body is corrupted: neither JSON nor UTF-8.
  emptyPage,      ///< A list or a search responds with an empty page that claims that more objects follow.
  /// The request is processed, and the response is a server error: `FaultRule::response`, or else
  /// `api_error`.
  errorAfterProcessing,
};

/// The readable name, such as `response lost`.
[[nodiscard]] std::string_view toString(Fault fault) noexcept;

std::ostream& operator<<(std::ostream& out, Fault fault);

/// A rule for fault injection. It applies to the next matching requests; after them, the service works
/// normally again. Rules that match the same requests apply in the order in which they were added, at most
/// one per request. A rule in which only `times` is set lets that number of requests pass.
///
/// A rule is consumed as a whole: `headers` and `latency` apply to the response that its fault affects, or,
/// if it has no fault, to any response, including refusals. No rule applies to a request that is refused for
/// its API key, its account or its path. A rule that replaces processing applies before any limit is checked.
///
/// For a server error before the change, use `error` or `response`; for a server error after the change, use
/// `Fault::errorAfterProcessing`.
struct FaultRule {
  std::string operation{};  ///< Such as `payment_records.report_failed`; empty: any.
  std::string object{};     ///< The identifier in the request's path, in UTF-8; empty: any, or none.
  int times = 1;            ///< How many requests it applies to; at least 1, or `unlimited`.
  Fault fault = Fault::none;
  /// The name of an error response in the API description, such as `lock_timeout`: the request receives it
  /// and is not processed.
  std::string error{};
  /// The value of `Service-Rate-Limited-Reason`, for errors that have this header. Not set: `global-rate`; an
  /// empty string: no header.
  std::optional<std::string> rateLimitedReason{};
  /// Any response, instead of `error`: a status from 200 to 599, or, with `Fault::errorAfterProcessing`, at
  /// least 500; no body with 204 or 304. The body may be any bytes; names and values of headers must be
  /// valid.
  std::optional<HttpResponse> response{};
  /// Added to the response, such as `Retry-After`. Not allowed with a fault that produces no response.
  std::vector<Header> headers{};
  /// Added to the usual time until the response. From 0 to 100 years. Over HTTP, it takes real time; see
  /// HttpServerOptions::latencyTakesRealTime.
  std::chrono::nanoseconds latency{0};

  // These members restrict the requests to which the rule applies. All patterns must match.
  std::vector<NamedPattern> params{};          ///< Parameters; see RequestPattern::params.
  std::vector<NamedPattern> metadata{};        ///< Metadata that the request sets, by key.
  std::vector<NamedPattern> requestHeaders{};  ///< Headers of the request, by name, ignoring case.
  /// The rule applies to every nth matching request. If this is 3, two requests pass; if the rule can't apply
  /// to the third, it waits for the next one. At least 1.
  int every = 1;
  /// The probability with which the rule applies, greater than 0 and at most 1. The service's seed determines
  /// to which requests.
  double probability = 1;
  /// The probability at the end of `period`, from 0 to 1. If it is set, `period` must be set too,
  /// `probability` may be 0, and the probability changes evenly over the period. Not set: the probability is
  /// constant.
  std::optional<double> probabilityAtEnd{};
  /// The rule applies to requests that arrive at least this long after Faults::inject(), on the service's
  /// clock. From 0 to 100 years.
  std::chrono::nanoseconds after{0};
  /// How long the rule applies from then on. More than 0 and at most 100 years. Not set: indefinitely.
  std::optional<std::chrono::nanoseconds> period{};

  // How long the response takes. Random values are drawn for each request, and are determined by the
  // service's seed.
  /// If more than `latency`, the actual latency is distributed uniformly between the two. At most 100 years.
  std::chrono::nanoseconds latencyUpTo{0};
  /// If more than 0, the latency has a log-normal distribution with the median `latency`, and this is the
  /// standard deviation of its logarithm, at most 10. The latency never exceeds `latencyUpTo`, or 100 years
  /// if that is 0.
  double latencySigma = 0;
  /// The body arrives in this many parts of about the same size, with a `pause` before each except the first.
  /// From 1 to 10,000; together, the pauses take at most 100 years.
  int chunks = 1;
  std::chrono::nanoseconds pause{0};

  /// For `times`: the rule applies until it is removed or its period is over.
  static constexpr int unlimited = std::numeric_limits<int>::max();

  bool operator==(const FaultRule&) const = default;
};

/// A rule that Faults::inject() has added, and how many times it has applied.
struct InjectedFault {
  std::uint64_t id = 0;            ///< What Faults::inject() returned.
  FaultRule rule{};                ///< `times` is how many times it can still apply.
  int hits = 0;                    ///< How many times it has applied.
  Instant from{};                  ///< It applies to requests that arrive at this time or later
  Instant until = Instant::max();  ///< … and before this time.
  std::uint64_t script = 0;        ///< What Faults::play() returned, if it belongs to a script; otherwise 0.
};

std::ostream& operator<<(std::ostream& out, const InjectedFault& value);

/// Prints a line such as `payment_records.report_failed of pr_1: response lost (2 times left)`.
std::ostream& operator<<(std::ostream& out, const FaultRule& rule);

}  // namespace tally::fake
