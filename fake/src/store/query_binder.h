#pragma once

#include <string>
#include <variant>
#include <vector>

#include "store/query.h"
#include "store/searched_field.h"
#include "tables/resource_type.h"

namespace tally::fake::detail {

/// What a query asks of one field of a resource.
struct BoundClause {
  SearchedField field;
  Clause clause;

  /// Whether `object` is what the clause says, were it not negated.
  [[nodiscard]] bool holds(const void* object) const;
};

/// A query whose fields are those of a resource, so that objects can be held against it.
class BoundQuery {
 public:
  /// `object` is of the resource's model.
  [[nodiscard]] bool matches(const void* object) const;

  [[nodiscard]] Join join() const noexcept { return join_; }
  [[nodiscard]] const std::vector<BoundClause>& clauses() const noexcept { return clauses_; }

 private:
  friend std::variant<BoundQuery, QueryFault> bindQuery(Query query, const ResourceType& type);

  Join join_ = Join::all;
  std::vector<BoundClause> clauses_{};
};

/// Relates `query` to the searchable fields of a resource, and checks that each is compared with something of
/// its kind.
[[nodiscard]] std::variant<BoundQuery, QueryFault> bindQuery(Query query, const ResourceType& type);

}  // namespace tally::fake::detail
