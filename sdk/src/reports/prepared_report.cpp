#include "reports/prepared_report.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "reports/report_operations.h"
#include "text/readable.h"
#include "text/utf8_sequence.h"

namespace tally::detail {

namespace {

using Fault = std::optional<ParameterFault>;

/// The resource with the longest prefix that fits.
const Resource* resourceOf(std::string_view id) {
  const Resource* found = nullptr;
  for (const AnyOperation* operation : operations) {
    const Resource& one = *operation->resource;
    if (operation->kind == OperationKind::report && id.starts_with(one.idPrefix) &&
        (found == nullptr || found->idPrefix.size() < one.idPrefix.size()))
      found = &one;
  }
  return found;
}

std::string inQuotes(std::string_view text) {
  std::string quoted{'\''};
  appendReadable(quoted, text);
  return quoted += '\'';
}

std::string unknownOutcome(const Resource& resource, std::string_view outcome) {
  std::string what = "expected ";
  std::string_view separator;
  for (const AnyOperation* operation : operations)
    if (operation->kind == OperationKind::report && operation->resource == &resource) {
      (what += std::exchange(separator, ", ")) += outcomeOf(*operation);
    }
  return what + ", not " + inQuotes(outcome);
}

const AnyOperation* findReport(const Resource& resource, std::string_view outcome) {
  const auto found = std::ranges::find_if(operations, [&](const AnyOperation* one) {
    return one->kind == OperationKind::report && one->resource == &resource && outcomeOf(*one) == outcome;
  });
  return found == operations.end() ? nullptr : *found;
}

Fault fill(ObjectRef params, const Report& report) {
  const Field* time = findParam(params.type(), Kind::time);
  if (!report.time && time != nullptr && time->required) return ParameterFault{"time", "is required"};
  if (report.time) {
    if (time == nullptr) return ParameterFault{"time", "this outcome has no time"};
    params.member(*time).emplace().as<std::chrono::sys_seconds>() = *report.time;
  }
  if (!report.metadata.empty()) {
    const Field* metadata = findParam(params.type(), Kind::metadataEdit);
    if (metadata == nullptr) return ParameterFault{"metadata", "this outcome has no metadata"};
    params.member(*metadata).emplace().as<MetadataEdit>() = report.metadata;
  }
  return std::nullopt;
}

/// A report that is not UTF-8 could be sent, but toText() could not keep it.
Fault checkTexts(const Report& report) {
  for (const auto& [name, text] : {std::pair{"id", &report.id},
                                   {"outcome", &report.outcome},
                                   {"attempt", &report.attempt},
                                   {"reference", &report.reference}})
    if (!isUtf8(*text)) return ParameterFault{name, "is not UTF-8"};
  for (const MetadataEdit::Change& change : report.metadata.changes())
    if (!isUtf8(change.key) || !isUtf8(change.value)) return ParameterFault{"metadata", "is not UTF-8"};
  return std::nullopt;
}

Fault checkAttempt(const Resource& resource, std::string_view attempt) {
  if (attempt.empty()) return std::nullopt;
  const std::string_view prefix = attemptPrefixOf(resource);
  if (prefix.empty()) return ParameterFault{"attempt", "reports on this resource have none"};
  return checkId("attempt", prefix, attempt);
}

}  // namespace

std::variant<PreparedReport, ParameterFault> prepareReport(const Report& report) {
  if (auto fault = checkTexts(report)) return *std::move(fault);
  const Resource* resource = resourceOf(report.id);
  if (resource == nullptr)
    return ParameterFault{"id", "no resource with reports has identifiers such as " + inQuotes(report.id)};
  if (auto fault = checkId("id", resource->idPrefix, report.id)) return *std::move(fault);
  const AnyOperation* operation = findReport(*resource, report.outcome);
  if (operation == nullptr) return ParameterFault{"outcome", unknownOutcome(*resource, report.outcome)};
  PreparedReport prepared{operation, AnyObject{*operation->params}};
  if (auto fault = fill(prepared.params.ref(), report)) return *std::move(fault);
  if (auto fault = checkParams(prepared.params.ref())) return *std::move(fault);
  if (auto fault = checkAttempt(*resource, report.attempt)) return *std::move(fault);
  return prepared;
}

std::variant<PreparedReport, Error> prepareReportOn(const Resource& resource, const Report& report) {
  auto prepared = prepareReport(report);
  if (const auto* fault = std::get_if<ParameterFault>(&prepared)) return invalidReport(*fault);
  auto& ready = std::get<PreparedReport>(prepared);
  if (ready.operation->resource != &resource) return invalidReport({"id", "is that of another resource"});
  return std::move(ready);
}

Error invalidReport(const ParameterFault& fault) {
  return Error{{.kind = ErrorKind::invalidParameter,
                .message = fault.what,
                .param = fault.param,
                .operation = "report"}};
}

}  // namespace tally::detail

std::optional<tally::Error> tally::Report::check() const {
  const auto prepared = detail::prepareReport(*this);
  const auto* fault = std::get_if<detail::ParameterFault>(&prepared);
  return fault == nullptr ? std::nullopt : std::optional{detail::invalidReport(*fault)};
}
