#pragma once

#include <tally/detail/cpp20.h>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <vector>

#include <tally/fake/logged_request.h>
#include <tally/fake/request_pattern.h>
#include <tally/fake/request_summary.h>
#include <tally/fake/service_part.h>

namespace tally::fake {

/// The log of the requests to a Service. Made by Service::requests(). Thread-safe, cheap to copy, and may
/// outlive the Service.
class Requests : public detail::ServicePart {
 public:
  using ServicePart::ServicePart;

  /// The logged requests with numbers greater than `after`, oldest first, at most `limit` of them.
  [[nodiscard]] std::vector<LoggedRequest> list(
      std::uint64_t after = 0, std::size_t limit = std::numeric_limits<std::size_t>::max()) const;

  /// How many of the logged requests match. Like matching() and latest(), count() compares the requests that
  /// are in the log at the time of the call, and throws std::invalid_argument for an unknown operation. It
  /// does not count requests that the log has dropped; verify() fails if they could make a difference.
  [[nodiscard]] std::size_t count(const RequestPattern& pattern) const;

  /// The logged requests that match and have numbers greater than `after`, oldest first, at most `limit` of
  /// them.
  [[nodiscard]] std::vector<LoggedRequest> matching(
      const RequestPattern& pattern, std::uint64_t after = 0,
      std::size_t limit = std::numeric_limits<std::size_t>::max()) const;

  /// The latest logged requests that match and have numbers less than `before`, oldest first, at most `limit`
  /// of them. Compares no more requests than necessary.
  [[nodiscard]] std::vector<LoggedRequest> latest(
      const RequestPattern& pattern, std::size_t limit,
      std::uint64_t before = std::numeric_limits<std::uint64_t>::max()) const;

  /// How many of the logged requests that match ended in each way: in total, and in each of `spans` spans of
  /// equal length. The spans divide the time from the pattern's `from` to its `until`. If one of these is not
  /// set, the time of the first or last logged request takes its place.
  [[nodiscard]] RequestSummary summary(const RequestPattern& pattern = {}, std::size_t spans = 0) const;

  /// Whether as many of the requests with numbers greater than `after` match as expected. If not, printing
  /// the result explains why. Also fails if the log has dropped requests or responses that could make a
  /// difference: after a drop, an upper bound is never certain, but a lower bound is certain once enough
  /// requests match.
  [[nodiscard]] Verification verify(const RequestPattern& pattern, const Count& expected = Count::exactly(1),
                                    std::uint64_t after = 0) const;

  /// Writes the requests that matching() would return, in the HAR 1.2 format, which browsers and other tools
  /// read. Keys and tokens are replaced by names such as `sk_test_recorded1`; cookies, card data and other
  /// credentials are left out. A response that the log has dropped has no body. Throws the same exceptions as
  /// matching(). The caller must check `out` for errors.
  void writeHar(std::ostream& out, const RequestPattern& pattern = {}, std::uint64_t after = 0,
                std::size_t limit = std::numeric_limits<std::size_t>::max()) const;

  /// Empties the log. The numbering of requests continues.
  void clear();

  /// How many requests the log contains.
  [[nodiscard]] std::size_t size() const;

  /// How many requests the log has dropped, or never kept, since it was last cleared: see
  /// ServiceOptions::requestLog and requestLogBytes.
  [[nodiscard]] std::uint64_t droppedCount() const;

  /// The number of the last request, even if the log no longer contains it; 0 if there was none.
  [[nodiscard]] std::uint64_t lastNumber() const;
};

}  // namespace tally::fake
