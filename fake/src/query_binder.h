#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "query.h"
#include "resource_type.h"

namespace tally::fake::detail {

/// A query whose fields are those of a resource, so that objects can be held against it.
class BoundQuery {
 public:
  /// `object` is of the resource's model.
  [[nodiscard]] bool matches(const void* object) const;

 private:
  friend std::variant<BoundQuery, QueryFault> bindQuery(Query query, const ResourceType& type);

  struct BoundClause {
    FieldPath path;
    Clause clause;
  };

  [[nodiscard]] static bool holds(const BoundClause& bound, const void* object);

  Join join_ = Join::all;
  std::vector<BoundClause> clauses_{};
};

/// Relates `query` to the searchable fields of a resource, and checks that each is compared with something of
/// its kind.
[[nodiscard]] std::variant<BoundQuery, QueryFault> bindQuery(Query query, const ResourceType& type);

}  // namespace tally::fake::detail
