#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tables/rules.h"

namespace tally::fake::detail {

/// The result of routing a request.
struct Route {
  const AnyOperation* operation = nullptr;  // null if not found
  bool pathKnown = false;                   // if `operation` is null: the path exists for other methods
  std::array<bool, 2> takes{};              // whether the path supports each Method
  std::string_view id{};                    // the segment that matched `{id}`, still percent-encoded
};

/// Maps a method and a path to an operation. Literal segments take precedence over `{id}`.
class Router {
 public:
  /// Throws std::logic_error if two operations share a method and a path.
  explicit Router(std::span<const AnyOperation* const> operations);

  [[nodiscard]] Route find(Method method, std::string_view path) const;

 private:
  struct Node {
    std::vector<std::pair<std::string_view, std::uint32_t>> children{};
    std::uint32_t anyId = 0;                          // the child node for `{id}`; 0, the root, if none
    std::array<const AnyOperation*, 2> operations{};  // by method
  };

  void add(const AnyOperation& operation);
  std::uint32_t step(std::uint32_t from, std::string_view segment);
  bool walk(std::uint32_t from, std::string_view path, Method method, Route& route) const;
  bool walkId(std::uint32_t from, std::string_view id, std::string_view rest, Method method,
              Route& route) const;

  std::vector<Node> nodes_{1};
};

}  // namespace tally::fake::detail
