#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <tally/id.h>
#include <tally/report_check.h>
#include <tally/result.h>

#include "call/client_core.h"

namespace tally::detail {

/// A report whose outcome the caller does not know.
struct LostReport {
  const ClientCore& core;
  const Operation& operation;
  std::string_view id{};
  const void* params = nullptr;
  const void* before = nullptr;          // the object before the report was first sent; null if unknown
  const std::string* attempt = nullptr;  // that the report is about; null if not specified
  const RequestOptions& options;
};

/// The object that each read fills; `clear` resets it first.
struct Target {
  void* object = nullptr;
  void (*clear)(void* object) = nullptr;
};

/// A ReportCheck without its object.
struct CheckFacts {
  ReportStatus status = ReportStatus::indeterminate;
  bool isFinal = false;
  int resends = 0;
  StopReason stopReason = StopReason::unclear;
  std::optional<Error> error{};
};

/// Reads the object into `target`, and compares.
[[nodiscard]] std::optional<Error> findStatus(const LostReport& report, const Target& target,
                                              CheckFacts& facts);

/// The same, but also sends the report again while it is not applied and may be sent.
[[nodiscard]] std::optional<Error> resolveStatus(const LostReport& report, const Target& target,
                                                 CheckFacts& facts);

template <class T>
Result<ReportCheck<T>> checkBy(decltype(findStatus)& find, const LostReport& report) {
  T object{};
  CheckFacts facts;
  const Target target{&object, [](void* old) { *static_cast<T*>(old) = T{}; }};
  if (auto error = find(report, target, facts)) return *std::move(error);
  return ReportCheck<T>{facts.status,  facts.isFinal,    std::move(object),
                        facts.resends, facts.stopReason, std::move(facts.error)};
}

inline const std::string& textOf(const std::string& owner) {
  return owner;
}
template <class Resource>
const std::string& textOf(const Id<Resource>& owner) {
  return owner.str();
}

/// A report and the operation that sends it. `senders` has one for each alternative of `Report`, a
/// std::variant of their parameters.
struct ReportCall {
  template <class Report>
  ReportCall(std::span<const Operation* const> senders, const Report& report)
      : params(std::visit([](const auto& alternative) -> const void* { return &alternative; }, report)),
        operation(*senders[report.index()]) {}

  const void* params;
  const Operation& operation;
};

/// The arguments must outlive the result.
template <class T, class Attempt>
LostReport lostReport(const ClientCore& core, const ReportCall& call, std::string_view id,
                      const ReportCheckOptions<T, Attempt>& known, const RequestOptions& options) {
  return {core,
          call.operation,
          id,
          call.params,
          known.before ? &*known.before : nullptr,
          known.attempt ? &textOf(*known.attempt) : nullptr,
          options};
}

/// Generated services call checkReport() and resolveReport() to find out whether a report was applied.
template <class T, class Attempt>
Result<ReportCheck<T>> checkReport(const ClientCore& core, const ReportCall& call, std::string_view id,
                                   const ReportCheckOptions<T, Attempt>& known,
                                   const RequestOptions& options) {
  const RequestOptions bounded = core.fromNowOn(options);
  return checkBy<T>(findStatus, lostReport(core, call, id, known, bounded));
}

template <class T, class Attempt>
Result<ReportCheck<T>> resolveReport(const ClientCore& core, const ReportCall& call, std::string_view id,
                                     const ReportCheckOptions<T, Attempt>& known,
                                     const RequestOptions& options) {
  const RequestOptions bounded = core.fromNowOn(options);
  return checkBy<T>(resolveStatus, lostReport(core, call, id, known, bounded));
}

}  // namespace tally::detail
