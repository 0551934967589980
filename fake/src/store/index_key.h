#pragma once

#include <cstdint>
#include <optional>

#include "store/query_binder.h"
#include "tables/scalar.h"

namespace tally::fake::detail {

/// By what an index orders values: numbers by their size, texts by a hash. Different texts may have the same
/// key, though they hardly ever do.
using IndexKey = std::uint64_t;

/// All keys from `first` to `last`, both included. None if `last` is smaller.
struct KeyRange {
  IndexKey first = 0;
  IndexKey last = 0;

  [[nodiscard]] bool empty() const noexcept { return last < first; }

  /// One value's key, which makes the objects that an index has under it follow each other in list order.
  [[nodiscard]] bool isOneKey() const noexcept { return first == last; }

  bool operator==(const KeyRange&) const = default;
};

/// Nothing where there is no value.
[[nodiscard]] std::optional<IndexKey> indexKeyOf(const Scalar& value);

/// The keys of all values that meet the clause. Nothing for a clause that an index is of no use to: one that
/// is negated, or asks for null or for a part of a text.
[[nodiscard]] std::optional<KeyRange> indexKeysOf(const BoundClause& bound);

[[nodiscard]] KeyRange intersection(KeyRange one, KeyRange other);

}  // namespace tally::fake::detail
