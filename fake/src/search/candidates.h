#pragma once

#include <memory>
#include <optional>

#include "store/collection.h"
#include "store/query_binder.h"

namespace tally::fake::detail {

/// The objects among which a search looks for those that match, in the order of lists and each of them once.
class Candidates {
 public:
  virtual ~Candidates() = default;

  /// The next one, or null at the end.
  [[nodiscard]] virtual const Record* next() = 0;

 protected:
  Candidates() = default;
  Candidates(const Candidates&) = default;
  Candidates& operator=(const Candidates&) = default;
};

/// As few candidates as the collection's indexes can tell, with every match among those behind `after`:
/// - where all clauses must hold, those of the clauses on one field that fewest objects meet;
/// - where one must, those of each;
/// - all objects, where no index helps, as with a part of a text.
///
/// Holds until the collection changes. Refers to all that it is given.
[[nodiscard]] std::unique_ptr<Candidates> candidatesFor(const BoundQuery& query, const Struct& model,
                                                        Collection& collection,
                                                        std::optional<Position> after);

}  // namespace tally::fake::detail
