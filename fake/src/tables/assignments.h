#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "schema/field_path.h"
#include "tables/any_object.h"
#include "tables/rules.h"

namespace tally::fake::detail {

using tally::detail::FieldPath;

/// A list of assignments to the fields of a model, with all paths looked up.
class Assignments {
 public:
  /// Throws std::logic_error for what the model can't take.
  Assignments(const Struct& model, std::span<const Assignment> rules);

  void apply(void* object) const;

  /// The same, but for the targets that `isKept` names.
  void apply(void* object, const std::function<bool(std::string_view target)>& isKept) const;

  /// Makes every target hold what it holds in an object that was just made.
  void clear(void* object) const;

 private:
  struct Step {
    std::string_view path{};  // of the target
    FieldPath target;
    FieldPath source;
    bool constant = false;
  };

  const Struct& model_;
  std::vector<Step> steps_{};
  AnyObject constants_;  // holds every constant in the place where it goes to
};

}  // namespace tally::fake::detail
