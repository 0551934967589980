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

/// How a query writes it: `:`, `~`, `<`, `<=`, `>` or `>=`.
[[nodiscard]] std::string_view toString(Comparison comparison) noexcept;

/// Nothing stands for `null`.
using Operand = std::variant<std::monostate, std::string, std::int64_t>;

/// What a query asks of one field.
struct Clause {
  bool negated = false;
  std::string field{};
  std::optional<std::string> key{};  // of a map
  Comparison comparison = Comparison::equals;
  Operand operand{};
  std::size_t fieldPosition = 0;    // in characters, from 1
  std::size_t operandPosition = 0;  // likewise

  bool operator==(const Clause& other) const {
    return negated == other.negated && field == other.field && key == other.key &&
           comparison == other.comparison && operand == other.operand;
  }
};

enum class Join : std::uint8_t { all, any };

/// A search query, read but not yet related to a resource.
struct Query {
  Join join = Join::all;
  std::vector<Clause> clauses{};

  bool operator==(const Query&) const = default;
};

/// The query as it is written.
[[nodiscard]] std::string print(const Query& query);

/// What is wrong with a query, and where.
struct QueryFault {
  std::size_t position = 0;  // in characters, from 1
  std::string what{};
};

/// As `at position 7: expected ':'`.
[[nodiscard]] std::string describe(const QueryFault& fault);

}  // namespace tally::fake::detail
