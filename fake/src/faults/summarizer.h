#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/logged_request.h>
#include <tally/fake/request_pattern.h>
#include <tally/fake/request_summary.h>

namespace tally::fake::detail {

/// Sums up the requests that it is shown.
class Summarizer {
 public:
  /// The spans cover the time that the pattern gives, or else that from `first` to `last`.
  Summarizer(RequestPattern pattern, std::size_t spans, Instant first, Instant last);

  void look(const LoggedRequest& request);

  [[nodiscard]] RequestSummary result() &&;

 private:
  using Counts = std::map<std::string, std::uint64_t, std::less<>>;

  static void count(Counts& counts, std::string_view name);
  static std::vector<NamedCount> listOf(const Counts& counts);
  [[nodiscard]] std::size_t spanOf(Instant time) const;

  RequestPattern pattern_;
  bool selectsAll_;
  RequestSummary summary_{};
  std::chrono::nanoseconds length_{1};  // of a span
  Counts operations_{};
  Counts accounts_{};
  std::map<int, std::uint64_t> statuses_{};
};

}  // namespace tally::fake::detail
