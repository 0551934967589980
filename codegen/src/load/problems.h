#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tally::codegen {

/// A place in the API description: the name of the file and a JSON pointer into it.
struct Place {
  std::string file{};
  std::string pointer{};

  [[nodiscard]] std::string str() const { return file + '#' + pointer; }

  bool operator==(const Place&) const = default;
};

/// The errors in an API description: one line each, in the order found.
class Problems {
 public:
  /// Adds `file#pointer: what; remedy`.
  void add(const Place& place, std::string_view what, std::string_view remedy);
  /// The same for a node, which has a place.
  template <class Node>
    requires requires(const Node& node) { node.place(); }
  void add(const Node& node, std::string_view what, std::string_view remedy) {
    add(node.place(), what, remedy);
  }
  /// Adds a line that contains its place.
  void add(std::string line);

  [[nodiscard]] bool empty() const noexcept { return lines_.empty(); }
  [[nodiscard]] const std::vector<std::string>& lines() const noexcept { return lines_; }

 private:
  std::vector<std::string> lines_;
};

/// `text` in single quotes.
[[nodiscard]] std::string inQuotes(std::string_view text);

/// `a, b, c`.
[[nodiscard]] std::string joined(const std::vector<std::string>& texts);

/// `'a', 'b' or 'c'`.
[[nodiscard]] std::string oneOf(const std::vector<std::string>& texts);

}  // namespace tally::codegen
