#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "findings/rule_book.h"

namespace tally::fake::detail {

/// A difference between the fake and the recording, however often it occurs.
struct Deviation {
  std::string id{};  // such as `missing:payment_record.description`; stable, printable ASCII, no space or `#`
  Rule rule{};
  std::string text{};              // of the first occurrence, in one line
  std::uint64_t count = 0;         // of the requests that show it
  std::uint64_t firstRequest = 0;  // number in the recording, from 1
};

/// What the recording does not show, such as the use of a limit before its start.
struct Unjudged {
  std::string text{};
  std::uint64_t count = 0;
  std::uint64_t firstRequest = 0;
};

/// Collects differences, and counts those that are the same.
class Findings {
 public:
  /// Notes a difference. `name` becomes its identifier; characters that an identifier can't contain are
  /// percent-encoded. `request` is the number of the request that shows the difference. If the identifier is
  /// already known, its first text stays.
  void differ(std::string_view name, const Rule& rule, std::string text, std::uint64_t request);

  void cannotJudge(std::string text, std::uint64_t request);

  [[nodiscard]] const std::vector<Unjudged>& unjudged() const noexcept { return unjudged_; }

  /// By section in the order of the specification, then by their first request.
  [[nodiscard]] std::vector<Deviation> differences() const;

 private:
  std::map<std::string, Deviation, std::less<>> byId_{};
  std::vector<Unjudged> unjudged_{};
  std::map<std::string, std::size_t, std::less<>> byText_{};  // places in `unjudged_`
};

}  // namespace tally::fake::detail
