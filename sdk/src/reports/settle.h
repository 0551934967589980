#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tally/id.h>
#include <tally/report_fate.h>
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

/// A ReportFate without its object.
struct FateFacts {
  Fate fate = Fate::undecided;
  bool isFinal = false;
  int sentAgain = 0;
  StopReason stopReason = StopReason::unclear;
  std::optional<Error> error{};
};

/// Reads the object into `target`, and compares.
[[nodiscard]] std::optional<Error> findFate(const LostReport& report, const Target& target, FateFacts& facts);

/// The same, but also sends the report again while it is not applied and may be sent.
[[nodiscard]] std::optional<Error> settleFate(const LostReport& report, const Target& target,
                                              FateFacts& facts);

template <class T>
Result<ReportFate<T>> reportFate(const LostReport& report, decltype(findFate)& find) {
  T object{};
  FateFacts facts;
  const Target target{&object, [](void* old) { *static_cast<T*>(old) = T{}; }};
  if (auto error = find(report, target, facts)) return *std::move(error);
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
template <class T, class Attempt>
LostReport lostReport(const ClientCore& core, const Operation& operation, std::string_view id,
                      const void* params, const ReportCheckOptions<T, Attempt>& check,
                      const RequestOptions& options) {
  return {core,
          operation,
          id,
          params,
          check.before ? &*check.before : nullptr,
          check.attempt ? &textOf(*check.attempt) : nullptr,
          options};
}

/// Generated services call fateOf() and settle() to find out what became of a report.
template <class T, class Attempt>
Result<ReportFate<T>> fateOf(const ClientCore& core, const Operation& operation, std::string_view id,
                             const void* params, const ReportCheckOptions<T, Attempt>& check,
                             const RequestOptions& options) {
  const RequestOptions bounded = core.fromNowOn(options);
  return reportFate<T>(lostReport(core, operation, id, params, check, bounded), findFate);
}

template <class T, class Attempt>
Result<ReportFate<T>> settle(const ClientCore& core, const Operation& operation, std::string_view id,
                             const void* params, const ReportCheckOptions<T, Attempt>& check,
                             const RequestOptions& options) {
  const RequestOptions bounded = core.fromNowOn(options);
  return reportFate<T>(lostReport(core, operation, id, params, check, bounded), settleFate);
}

}  // namespace tally::detail
