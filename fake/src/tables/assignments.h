#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "tables/rules.h"
#include "tables/schema_types.h"

namespace tally::fake::detail {

/// Assignments to fields of a model, with all paths resolved.
class Assignments {
 public:
  /// Throws std::logic_error for a path or value that the model does not accept.
  Assignments(const Struct& model, std::span<const Assignment> rules);

  void apply(ObjectRef object) const;

  /// Skips the targets for which `isKept` returns true.
  void apply(ObjectRef object, const std::function<bool(std::string_view target)>& isKept) const;

  /// Resets every target to its value in a default-constructed object.
  void clear(ObjectRef object) const;

 private:
  struct ResolvedAssignment {
    std::string_view path{};  // of the target
    FieldPath target;
    FieldPath source;
    bool constant = false;
  };

  const Struct& model_;
  std::vector<ResolvedAssignment> assignments_{};
  AnyObject constants_;  // each constant is stored in its target field
};

}  // namespace tally::fake::detail
