#pragma once

#include <span>
#include <vector>

#include "any_object.h"
#include "field_path.h"
#include "rules.h"

namespace tally::fake::detail {

using tally::detail::FieldPath;

/// A list of assignments to the fields of a model, with all paths looked up.
class Assignments {
 public:
  /// Throws std::logic_error for what the model can't take.
  Assignments(const Struct& model, std::span<const Assignment> rules);

  void apply(void* object) const;

 private:
  struct Step {
    FieldPath target;
    FieldPath source;
    bool constant = false;
  };

  std::vector<Step> steps_{};
  AnyObject constants_;  // holds every constant in the place where it goes to
};

}  // namespace tally::fake::detail
