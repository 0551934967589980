#include <tally/detail/report_kinds.h>

#include "reports/report_operations.h"

namespace tally::detail {

namespace {

/// Excludes the identifiers of resources whose prefix begins with this one.
std::string patternOf(std::string_view prefix) {
  std::string longer;
  for (const AnyOperation* operation : operations) {
    const std::string_view other = operation->resource->idPrefix;
    if (operation->kind == OperationKind::report && other.size() > prefix.size() && other.starts_with(prefix))
      longer.append("(?!").append(other).append(")");
  }
  return "^" + longer + std::string{prefix} + ".";
}

ReportKind kindOf(const AnyOperation& operation) {
  const Field* time = findParam(*operation.params, Kind::time);
  return {.idPrefix = std::string{operation.resource->idPrefix},
          .idPattern = patternOf(operation.resource->idPrefix),
          .outcome = std::string{outcomeOf(operation)},
          .takesTime = time != nullptr,
          .requiresTime = time != nullptr && time->required,
          .takesMetadata = findParam(*operation.params, Kind::metadataEdit) != nullptr,
          .attemptPrefix = std::string{attemptPrefixOf(*operation.resource)}};
}

}  // namespace

std::vector<ReportKind> reportKinds() {
  std::vector<ReportKind> kinds;
  for (const AnyOperation* operation : operations)
    if (operation->kind == OperationKind::report) kinds.push_back(kindOf(*operation));
  return kinds;
}

}  // namespace tally::detail
