#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <tally/clock.h>

#include "store/collection.h"
#include "store/query_binder.h"

namespace tally::fake::detail {

/// Finds the objects of a collection that match a query. Candidates come from indexes if any help. Tests each
/// candidate against the query, and stops as early as possible.
class Search {
 public:
  /// Ignores objects stored after `indexed`. Adds missing indexes to the collection.
  Search(const BoundQuery& query, const Struct& model, Collection& collection, Instant indexed)
      : query_(query), model_(model), collection_(collection), indexed_(indexed) {}

  /// The newest matches, or the newest after `after` in list order; at most `limit`.
  [[nodiscard]] std::vector<const Record*> find(std::optional<Position> after, std::size_t limit) const;

  /// The number of matches, at most `cap`.
  [[nodiscard]] std::size_t count(std::size_t cap) const;

 private:
  [[nodiscard]] bool finds(const Record& record) const;

  const BoundQuery& query_;
  const Struct& model_;
  Collection& collection_;
  Instant indexed_;
};

}  // namespace tally::fake::detail
