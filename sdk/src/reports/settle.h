#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tally/id.h>
#include <tally/report_fate.h>
#include <tally/result.h>

#include "call/core.h"

namespace tally::detail {

/// A report of which the caller does not know what became.
struct LostReport {
  const Core& core;
  const Operation& operation;
  std::string_view id{};
  const void* params = nullptr;
  const void* before = nullptr;  // the object before the report was first sent; null where that is not known
  const std::string* attempt = nullptr;  // that the report is about; null where the caller names none
  const RequestOptions& options;
};

/// Where an object is read into, again and again: `clear` makes it as if nothing had been.
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

/// The same; and as long as the report has not been applied and may be sent, sends it again.
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

/// `check` and the others outlive the result.
template <class T, class Attempt>
LostReport lostReport(const Core& core, const Operation& operation, std::string_view id, const void* params,
                      const ReportCheckOptions<T, Attempt>& check, const RequestOptions& options) {
  return {core,
          operation,
          id,
          params,
          check.before ? &*check.before : nullptr,
          check.attempt ? &textOf(*check.attempt) : nullptr,
          options};
}

/// What generated services are made of, where they find out what became of a report.
template <class T, class Attempt>
Result<ReportFate<T>> fateOf(const Core& core, const Operation& operation, std::string_view id,
                             const void* params, const ReportCheckOptions<T, Attempt>& check,
                             const RequestOptions& options) {
  const RequestOptions bounded = core.fromNowOn(options);
  return reportFate<T>(lostReport(core, operation, id, params, check, bounded), findFate);
}

template <class T, class Attempt>
Result<ReportFate<T>> settle(const Core& core, const Operation& operation, std::string_view id,
                             const void* params, const ReportCheckOptions<T, Attempt>& check,
                             const RequestOptions& options) {
  const RequestOptions bounded = core.fromNowOn(options);
  return reportFate<T>(lostReport(core, operation, id, params, check, bounded), settleFate);
}

}  // namespace tally::detail
