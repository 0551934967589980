#include "model/paths.h"

#include <algorithm>

namespace tally::codegen::model {

const Field* fieldAt(const Struct& start, std::string_view path) {
  const std::size_t dot = std::min(path.find('.'), path.size());
  const Field* field = start.find(std::string{path.substr(0, dot)});
  if (field == nullptr || dot == path.size()) return field;
  return field->type.object == nullptr ? nullptr : fieldAt(*field->type.object, path.substr(dot + 1));
}

}  // namespace tally::codegen::model
