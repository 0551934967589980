#include "reports/report_operations.h"

#include <algorithm>

namespace tally::detail {

std::string_view outcomeOf(const AnyOperation& operation) {
  constexpr std::string_view prefix = "report_";
  std::string_view method = operation.name.substr(operation.name.find('.') + 1);
  if (method.starts_with(prefix)) method.remove_prefix(prefix.size());
  return method;
}

const Field* findParam(const Struct& params, Kind kind) {
  const auto found =
      std::ranges::find(params.fields, kind, [](const Field& field) { return field.type.kind; });
  return found == params.fields.end() ? nullptr : &*found;
}

std::string_view attemptPrefixOf(const Resource& resource) {
  if (resource.machine == nullptr || resource.machine->of.empty()) return {};
  return resource.model->find(resource.machine->of)->idPrefix;
}

}  // namespace tally::detail
