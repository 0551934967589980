#pragma once

#include <cstdint>
#include <optional>

#include "store/query_binder.h"
#include "tables/scalar.h"

namespace tally::fake::detail {

/// The sort key of a value in an index: numbers by size, strings by hash. Different strings rarely share a
/// key.
using IndexKey = std::uint64_t;

/// The keys from `first` to `last`, inclusive; empty if `last` is smaller.
struct KeyRange {
  IndexKey first = 0;
  IndexKey last = 0;

  [[nodiscard]] bool empty() const noexcept { return last < first; }

  /// Whether the range is a single key. An index has the objects of a key in list order.
  [[nodiscard]] bool isOneKey() const noexcept { return first == last; }

  bool operator==(const KeyRange&) const = default;
};

/// Nothing if there is no value.
[[nodiscard]] std::optional<IndexKey> indexKeyOf(const Scalar& value);

/// The keys of all values that meet the clause. Nothing if an index does not help: for clauses that are
/// negated, or compare with null or a substring.
[[nodiscard]] std::optional<KeyRange> indexKeysOf(const BoundClause& bound);

[[nodiscard]] KeyRange intersection(KeyRange one, KeyRange other);

}  // namespace tally::fake::detail
