#include "store/index_key.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace tally::fake::detail {

namespace {

constexpr IndexKey smallest = 0;
constexpr IndexKey largest = std::numeric_limits<IndexKey>::max();
constexpr KeyRange none{1, 0};

/// Flips the sign bit, so that negative numbers sort first.
IndexKey keyOfNumber(std::int64_t number) {
  constexpr IndexKey signBit = IndexKey{1} << 63U;
  return static_cast<IndexKey>(number) ^ signBit;
}

IndexKey keyOfText(std::string_view text) {
  return std::hash<std::string_view>{}(text);
}

KeyRange oneKey(IndexKey key) {
  return {key, key};
}

KeyRange keysOfNumbers(Comparison comparison, IndexKey key) {
  switch (comparison) {
    case Comparison::less:
      return key == smallest ? none : KeyRange{smallest, key - 1};
    case Comparison::atMost:
      return {smallest, key};
    case Comparison::greater:
      return key == largest ? none : KeyRange{key + 1, largest};
    case Comparison::atLeast:
      return {key, largest};
    default:
      return oneKey(key);
  }
}

}  // namespace

std::optional<IndexKey> indexKeyOf(const Scalar& value) {
  if (const auto* text = std::get_if<std::string_view>(&value)) return keyOfText(*text);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return keyOfNumber(*number);
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  return std::nullopt;
}

std::optional<KeyRange> indexKeysOf(const BoundClause& bound) {
  const Clause& clause = bound.clause;
  if (clause.negated || clause.comparison == Comparison::contains) return std::nullopt;
  if (const auto* number = std::get_if<std::int64_t>(&clause.operand))
    return keysOfNumbers(clause.comparison, keyOfNumber(*number));
  const auto* text = std::get_if<std::string>(&clause.operand);
  if (text == nullptr) return std::nullopt;
  const bool isTruth = bound.field.path.field().type.kind == tally::detail::Kind::boolean;
  return oneKey(*indexKeyOf(isTruth ? Scalar{*text == "true"} : Scalar{std::string_view{*text}}));
}

KeyRange intersection(KeyRange one, KeyRange other) {
  return {std::max(one.first, other.first), std::min(one.last, other.last)};
}

}  // namespace tally::fake::detail
