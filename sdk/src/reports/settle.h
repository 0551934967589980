#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tally/id.h>
#include <tally/report_fate.h>
#include <tally/result.h>

#include "call/core.h"

namespace tally::detail {

/// A report whose outcome the caller does not know.
struct LostReport {
  const Core& core;
  const Operation& operation;
  std::string_view id{};
  ConstObjectRef params{};
  ConstObjectRef before{};               // the object before the report was first sent; empty if unknown
  const std::string* attempt = nullptr;  // that the report is about; null if not specified
  const RequestOptions& options;
};

/// A ReportFate without its object.
struct FateFacts {
  Fate fate = Fate::undecided;
  bool isFinal = false;
  int sentAgain = 0;
  StopReason stopReason = StopReason::unclear;
  std::optional<Error> error{};
};

/// Reads the object into `target`, and compares.
[[nodiscard]] std::optional<Error> findFate(const LostReport& report, ObjectRef target, FateFacts& facts);

/// The same, but also sends the report again while it is not applied and may be sent.
[[nodiscard]] std::optional<Error> settleFate(const LostReport& report, ObjectRef target, FateFacts& facts);

template <class T>
Result<ReportFate<T>> reportFate(const LostReport& report, decltype(findFate)& find) {
  T object{};
  FateFacts facts;
  if (auto error = find(report, {*report.operation.resource->model, &object}, facts))
    return *std::move(error);
  return ReportFate<T>{facts.fate,      facts.isFinal,    std::move(object),
                       facts.sentAgain, facts.stopReason, std::move(facts.error)};
}

inline const std::string& textOf(const std::string& owner) {
  return owner;
}
template <class Resource>
const std::string& textOf(const Id<Resource>& owner) {
  return owner.str();
}

/// The arguments must outlive the result.
template <class Params, class Model, class Attempt>
LostReport lostReport(const Core& core, const TypedOperation<Params, Model>& operation, std::string_view id,
                      const Params& params, const ReportCheckOptions<Model, Attempt>& check,
                      const RequestOptions& options) {
  return {core,
          operation,
          id,
          refTo(operation, params),
          check.before ? ConstObjectRef{*operation.resource->model, &*check.before} : ConstObjectRef{},
          check.attempt ? &textOf(*check.attempt) : nullptr,
          options};
}

/// Generated services call fateOf() and settle() to find out what became of a report.
template <class Params, class Model, class Attempt>
Result<ReportFate<Model>> fateOf(const Core& core, const TypedOperation<Params, Model>& operation,
                                 std::string_view id, const std::type_identity_t<Params>& params,
                                 const ReportCheckOptions<Model, Attempt>& check,
                                 const RequestOptions& options) {
  const RequestOptions bounded = core.fromNowOn(options);
  return reportFate<Model>(lostReport(core, operation, id, params, check, bounded), findFate);
}

template <class Params, class Model, class Attempt>
Result<ReportFate<Model>> settle(const Core& core, const TypedOperation<Params, Model>& operation,
                                 std::string_view id, const std::type_identity_t<Params>& params,
                                 const ReportCheckOptions<Model, Attempt>& check,
                                 const RequestOptions& options) {
  const RequestOptions bounded = core.fromNowOn(options);
  return reportFate<Model>(lostReport(core, operation, id, params, check, bounded), settleFate);
}

}  // namespace tally::detail
