#pragma once

#include <variant>
#include <vector>

#include "store/query.h"
#include "store/searched_field.h"
#include "tables/resource_type.h"

namespace tally::fake::detail {

/// A condition on one field of a resource.
struct BoundClause {
  SearchedField field;
  Clause clause;

  /// Ignores negation.
  [[nodiscard]] bool holds(ConstObjectRef object) const;
};

/// A query bound to the fields of a resource.
class BoundQuery {
 public:
  /// `object` is of the resource's model.
  [[nodiscard]] bool matches(ConstObjectRef object) const;

  [[nodiscard]] Join join() const noexcept { return join_; }
  [[nodiscard]] const std::vector<BoundClause>& clauses() const noexcept { return clauses_; }

 private:
  friend std::variant<BoundQuery, QueryFault> bindQuery(Query query, const ResourceType& type);

  Join join_ = Join::all;
  std::vector<BoundClause> clauses_{};
};

/// Binds `query` to the searchable fields of a resource. Checks that the operand suits the type of each
/// field.
[[nodiscard]] std::variant<BoundQuery, QueryFault> bindQuery(Query query, const ResourceType& type);

}  // namespace tally::fake::detail
