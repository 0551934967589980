#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tally::fake::detail {

/// The differences that a team accepts: a file with the identifier of one on each line. `#` starts a comment.
class Accepted {
 public:
  Accepted() = default;
  /// Throws std::invalid_argument, with the line, for one that is not an identifier.
  explicit Accepted(std::string_view text);

  /// Whether the difference is accepted; notes that it occurs.
  [[nodiscard]] bool accepts(std::string_view id);

  /// The entries that accepts() never met, in the order of the file.
  [[nodiscard]] std::vector<std::string> gone() const;

 private:
  std::vector<std::string> entries_{};
  std::set<std::string, std::less<>> met_{};
};

}  // namespace tally::fake::detail
