#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <tally/id.h>
#include <tally/report_check.h>
#include <tally/result.h>

#include "call/call.h"
#include "reports/lost_report.h"

namespace tally::detail {

/// Reads the object into `target`, and compares.
[[nodiscard]] std::optional<Error> findStatus(const LostReport& report, ObjectRef target, CheckFacts& facts);

/// The same, but also sends the report again while it is not applied and may be sent.
[[nodiscard]] std::optional<Error> resolveStatus(const LostReport& report, ObjectRef target,
                                                 CheckFacts& facts);

template <class T>
Result<ReportCheck<T>> checkBy(decltype(findStatus)& find, const LostReport& report) {
  T object{};
  CheckFacts facts;
  if (auto error = find(report, refTo(object), facts)) return *std::move(error);
  return ReportCheck<T>{facts.status,  facts.isFinal,        std::move(object),
                        facts.resends, facts.noResendReason, std::move(facts.error)};
}

inline const std::string& textOf(const std::string& owner) {
  return owner;  // NOLINT(bugprone-return-const-ref-from-parameter): as for an Id, the caller keeps it
}
template <class Resource>
const std::string& textOf(const Id<Resource>& owner) {
  return owner.str();
}

/// A report and the operation that sends it: one of `senders`, in the order of the alternatives. `report`
/// must outlive this.
template <class Model>
struct ReportCall {
  template <class... Params>
  ReportCall(const std::variant<Params...>& report, const Operation<Params, Model>&... senders)
      : operation(*std::array<const AnyOperation*, sizeof...(Params)>{&senders...}[report.index()]),
        params(std::visit([this](const auto& given) { return ConstObjectRef{*operation.params, &given}; },
                          report)) {}

  const AnyOperation& operation;
  ConstObjectRef params;
};

/// Sends a report on the object with this identifier.
template <class T>
Result<T> sendReport(const ClientCore& core, const ReportCall<T>& call, std::string_view id,
                     const RequestOptions& options) {
  return callUntyped<T>(core, call.operation, id, call.params, options);
}

/// The arguments must outlive the result.
template <class T, class Attempt>
LostReport lostReport(const ClientCore& core, const ReportCall<T>& call, std::string_view id,
                      const ReportCheckOptions<T, Attempt>& known, const RequestOptions& options) {
  return {core,
          call.operation,
          id,
          call.params,
          known.before ? refTo(*known.before) : ConstObjectRef{},
          known.attempt ? &textOf(*known.attempt) : nullptr,
          options};
}

/// Generated services call checkReport() and resolveReport() to find out whether a report was applied.
template <class T, class Attempt>
Result<ReportCheck<T>> checkReport(const ClientCore& core, const ReportCall<T>& call, std::string_view id,
                                   const ReportCheckOptions<T, Attempt>& known,
                                   const RequestOptions& options) {
  const RequestOptions bounded = core.fromNowOn(options);
  return checkBy<T>(findStatus, lostReport(core, call, id, known, bounded));
}

template <class T, class Attempt>
Result<ReportCheck<T>> resolveReport(const ClientCore& core, const ReportCall<T>& call, std::string_view id,
                                     const ReportCheckOptions<T, Attempt>& known,
                                     const RequestOptions& options) {
  const RequestOptions bounded = core.fromNowOn(options);
  return checkBy<T>(resolveStatus, lostReport(core, call, id, known, bounded));
}

}  // namespace tally::detail
