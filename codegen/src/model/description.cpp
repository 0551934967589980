#include "description.h"

#include <algorithm>

namespace tally::codegen::model {

const Field* Struct::find(const std::string& field) const {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == field; });
  return found == fields.end() ? nullptr : &*found;
}

}  // namespace tally::codegen::model
