#pragma once

#include <string_view>
#include <variant>

#include <tally/report.h>

#include "call/call.h"
#include "form/validation.h"
#include "schema/any_object.h"
#include "schema/operation.h"

namespace tally::detail {

/// A Report as the call that sends it.
struct PreparedReport {
  const AnyOperation* operation = nullptr;
  AnyObject params{};
};

/// The call that sends `report`, with its parameters checked, or why no client can send it.
[[nodiscard]] std::variant<PreparedReport, ParameterFault> prepareReport(const Report& report);

/// The same for a report on an object of `resource`.
[[nodiscard]] std::variant<PreparedReport, Error> prepareReportOn(const Resource& resource,
                                                                  const Report& report);

/// The error of a report that no client can send.
[[nodiscard]] Error invalidReport(const ParameterFault& fault);

/// Sends a report on an object of `resource`. Generated services call it.
template <class Model>
Result<Model> sendReport(const ClientCore& core, const Resource& resource, const Report& report,
                         const RequestOptions& options) {
  const auto prepared = prepareReportOn(resource, report);
  if (const auto* error = std::get_if<Error>(&prepared)) return *error;
  const auto& [operation, params] = std::get<PreparedReport>(prepared);
  return callUntyped<Model>(core, *operation, report.id, params.ref(), options);
}

}  // namespace tally::detail
