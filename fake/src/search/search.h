#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <tally/clock.h>

#include "store/collection.h"
#include "store/query_binder.h"

namespace tally::fake::detail {

/// Finds the objects of a collection that a query describes. The candidates come from indexes where there are
/// any that help; each is held against the query, and no more of them than must be.
class Search {
 public:
  /// Objects stored after `indexed` are not found. The collection gets the indexes that it lacks.
  Search(const BoundQuery& query, const Struct& model, Collection& collection, Instant indexed)
      : query_(query), model_(model), collection_(collection), indexed_(indexed) {}

  /// The newest ones, or those behind `after`; at most `limit`.
  [[nodiscard]] std::vector<const Record*> find(std::optional<Position> after, std::size_t limit) const;

  /// How many there are, counted no further than `cap`.
  [[nodiscard]] std::size_t count(std::size_t cap) const;

 private:
  [[nodiscard]] bool finds(const Record& record) const;

  const BoundQuery& query_;
  const Struct& model_;
  Collection& collection_;
  Instant indexed_;
};

}  // namespace tally::fake::detail
