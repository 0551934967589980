#pragma once

#include <tally/detail/cpp20.h>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <tally/fake/fault_rule.h>
#include <tally/fake/logged_request.h>
#include <tally/fake/request_outcome.h>
#include <tally/fake/text_pattern.h>

namespace tally::fake {

/// A description of logged requests. All given parts must match; an empty pattern matches every request.
struct RequestPattern {
  std::string account{};    ///< The identifier of the account for which the request acts.
  std::string operation{};  ///< Such as `payment_records.report_failed`.
  std::string object{};     ///< The identifier in the request's path.
  /// Parameters, decoded, by their names on the wire, such as `metadata[order]`; see sentParams().
  std::vector<NamedPattern> params{};
  std::vector<NamedPattern> metadata{};  ///< Metadata that the request sets, by key, such as `order`.
  std::vector<NamedPattern> headers{};   ///< Headers of the request, by name, ignoring case.
  std::optional<TextPattern> body{};     ///< The body of the request, as sent.
  std::optional<int> status{};           ///< The status of the response; 0 if there was none.
  std::optional<bool> processed{};       ///< Whether the request took effect: see LoggedRequest::processed.
  std::string errorCode{};               ///< The code of the service's own error response.
  std::optional<TextPattern> responseBody{};
  std::optional<RequestOutcome> outcome{};  ///< How the request ended.
  std::optional<bool> faulted{};            ///< Whether an injected fault applied to the request.
  std::optional<bool> hasOperation{};       ///< Whether the method and path are those of an operation.
  std::optional<Instant> from{};            ///< The earliest arrival.
  std::optional<Instant> until{};           ///< Only requests that arrived before this time.
  /// Text that occurs anywhere, ignoring the case of ASCII letters: in the URL, a body, a parameter, an
  /// identifier, the error code or the limit.
  std::string text{};
  std::string call{};  ///< The call that the request belongs to: see LoggedRequest::call.

  bool operator==(const RequestPattern&) const = default;
};

/// Prints `payouts.create with parameter amount = "500" and status 200`.
std::ostream& operator<<(std::ostream& out, const RequestPattern& pattern);

/// The requests to which a rule can apply, regardless of when they arrive.
[[nodiscard]] RequestPattern patternOf(const FaultRule& rule);

/// A part in which a request differs from a pattern.
struct Difference {
  std::string part{};      ///< Such as `operation`, `parameter amount` or `header Idempotency-Key`.
  std::string expected{};  ///< Readable, such as `"500"` or `containing "50"`.
  std::string actual{};    ///< Readable, such as `"600"`, or `nothing`. Keys are masked.
  /// Whether the log lacks the response, so that it is unknown whether the two differ: see
  /// LoggedRequest::responseMissing.
  bool unknown = false;

  bool operator==(const Difference&) const = default;
};

/// Prints `parameter amount is "600", not "500"`.
std::ostream& operator<<(std::ostream& out, const Difference& difference);

/// The differences, certain or possible, between `request` and `pattern`, listed in the order of the members
/// of RequestPattern; empty if the request matches.
[[nodiscard]] std::vector<Difference> differences(const RequestPattern& pattern,
                                                  const LoggedRequest& request);

/// Whether there are differences and all are unknown: only the response, which the log lacks, would show
/// whether the request matches.
[[nodiscard]] bool areUnknown(const std::vector<Difference>& differences);

/// Whether there are no differences.
[[nodiscard]] bool matches(const RequestPattern& pattern, const LoggedRequest& request);

/// How many requests are expected.
class Count {
 public:
  /// The same as exactly().
  Count(std::size_t number) : Count(number, number) {}
  [[nodiscard]] static Count exactly(std::size_t number) { return {number, number}; }
  [[nodiscard]] static Count atLeast(std::size_t least) { return {least, unlimited}; }
  [[nodiscard]] static Count atMost(std::size_t most) { return {0, most}; }
  /// Throws std::invalid_argument if `most` is less than `least`.
  [[nodiscard]] static Count between(std::size_t least, std::size_t most);

  [[nodiscard]] bool includes(std::size_t number) const noexcept {
    return number >= least_ && number <= most_;
  }
  [[nodiscard]] std::size_t least() const noexcept { return least_; }
  [[nodiscard]] std::size_t most() const noexcept { return most_; }

  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

 private:
  Count(std::size_t least, std::size_t most) : least_(least), most_(most) {}

  std::size_t least_;
  std::size_t most_;
};

/// Prints `exactly 2`, `at least 1`, `at most 3` or `from 1 to 3`.
std::ostream& operator<<(std::ostream& out, const Count& count);

/// A request that does not match, and why.
struct NearMiss {
  LoggedRequest request{};
  std::vector<Difference> differences{};
};

std::ostream& operator<<(std::ostream& out, const NearMiss& value);

/// The result of Requests::verify().
struct Verification {
  /// Whether as many requests match as expected, no matter how many of the dropped ones match. False means
  /// that the expectation is not met, or that the log is too incomplete to decide: see isDecided().
  bool ok = false;
  RequestPattern pattern{};
  Count expected = Count::exactly(1);
  std::vector<std::uint64_t> matching{};  ///< The numbers of the requests that match, oldest first.
  /// If too few match: up to `nearMissesKept` requests that almost match, closest first. A request for the
  /// same operation is closer than any other request. Otherwise, requests with fewer differences come first,
  /// then those with more similar values, then later ones.
  std::vector<NearMiss> nearMisses{};
  std::size_t compared = 0;   ///< How many requests the log contains.
  std::uint64_t dropped = 0;  ///< How many the log has dropped. They may have matched.
  /// How many of the compared requests may also match, because the pattern concerns their responses, which
  /// the log lacks: see LoggedRequest::responseMissing.
  std::size_t unknown = 0;

  static constexpr std::size_t nearMissesKept = 3;

  /// Whether the log suffices to decide. If not, `ok` is false too. In that case, keep more requests, with
  /// ServiceOptions::requestLog and requestLogBytes, or clear the log before the requests that matter.
  [[nodiscard]] bool isDecided() const noexcept;

  explicit operator bool() const noexcept { return ok; }
};

/// Prints what was expected and what happened, with the near misses on separate lines.
std::ostream& operator<<(std::ostream& out, const Verification& verification);

}  // namespace tally::fake
