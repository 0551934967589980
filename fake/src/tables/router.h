#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tables/rules.h"

namespace tally::fake::detail {

/// Where a request goes to.
struct Route {
  const Operation* operation = nullptr;  // null where there is none
  bool pathKnown = false;                // if so, for other methods only
  std::array<bool, 2> takes{};           // the methods that the path takes, by Method
  std::string_view id{};                 // the segment in the place of `{id}`, encoded as it came
};

/// Finds the operation of a method and a path. A segment that is spelled out in the table goes before `{id}`.
class Router {
 public:
  /// Throws std::logic_error where two operations have one method and path.
  explicit Router(std::span<const Operation* const> operations);

  [[nodiscard]] Route find(Method method, std::string_view path) const;

 private:
  struct Node {
    std::vector<std::pair<std::string_view, std::uint32_t>> children{};
    std::uint32_t anyId = 0;                       // the node behind `{id}`; 0, the root, for none
    std::array<const Operation*, 2> operations{};  // by method
  };

  void add(const Operation& operation);
  std::uint32_t step(std::uint32_t from, std::string_view segment);
  bool walk(std::uint32_t from, std::string_view path, Method method, Route& route) const;
  bool walkId(std::uint32_t from, std::string_view id, std::string_view rest, Method method,
              Route& route) const;

  std::vector<Node> nodes_{1};
};

}  // namespace tally::fake::detail
