#pragma once

#include <memory>
#include <optional>

#include "store/collection.h"
#include "store/query_binder.h"

namespace tally::fake::detail {

/// The objects that a search tests against its query: in list order, without duplicates.
class Candidates {
 public:
  virtual ~Candidates() = default;

  /// Returns null at the end.
  [[nodiscard]] virtual const Record* next() = 0;

 protected:
  Candidates() = default;
  Candidates(const Candidates&) = default;
  Candidates& operator=(const Candidates&) = default;
};

/// As few candidates as the indexes of the collection allow. They include every match after `after`:
/// - if all clauses must hold: the objects that meet the clauses on the most selective field;
/// - if any clause may hold: the union over all clauses;
/// - if no index helps, as for substrings: all objects.
///
/// Valid until the collection changes. Keeps references to its arguments.
[[nodiscard]] std::unique_ptr<Candidates> candidatesFor(const BoundQuery& query, const Struct& model,
                                                        Collection& collection,
                                                        std::optional<Position> after);

}  // namespace tally::fake::detail
