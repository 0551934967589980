#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tally::fake::detail {

enum class Comparison : std::uint8_t { equals, contains, less, atMost, greater, atLeast };

/// The operator in a query: `:`, `~`, `<`, `<=`, `>` or `>=`.
[[nodiscard]] std::string_view toString(Comparison comparison) noexcept;

/// std::monostate represents `null`.
using Operand = std::variant<std::monostate, std::string, std::int64_t>;

/// A condition on one field.
struct Clause {
  bool negated = false;
  std::string field{};
  std::optional<std::string> key{};  // of a map
  Comparison comparison = Comparison::equals;
  Operand operand{};
  std::size_t fieldPosition = 0;    // in characters, from 1
  std::size_t operandPosition = 0;  // in characters, from 1

  bool operator==(const Clause& other) const {
    return negated == other.negated && field == other.field && key == other.key &&
           comparison == other.comparison && operand == other.operand;
  }
};

enum class Join : std::uint8_t { all, any };

/// A parsed search query, not yet bound to a resource.
struct Query {
  Join join = Join::all;
  std::vector<Clause> clauses{};

  bool operator==(const Query&) const = default;
};

/// A problem in a query, and its position.
struct QueryFault {
  std::size_t position = 0;  // in characters, from 1
  std::string what{};
};

/// For example `at position 7: expected ':'`.
[[nodiscard]] std::string describe(const QueryFault& fault);

}  // namespace tally::fake::detail
