#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include <tally/report_fate.h>
#include <tally/result.h>

#include "core.h"

namespace tally::detail {

/// A report of which the caller does not know what became.
struct LostReport {
  const Core& core;
  const Operation& operation;
  std::string_view id{};
  const void* params = nullptr;
  const void* before = nullptr;  // the object before the report was first sent; null where that is not known
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
  return ReportFate<T>{facts.fate, facts.isFinal, std::move(object), facts.sentAgain, std::move(facts.error)};
}

/// What generated services are made of, where they find out what became of a report.
template <class T>
Result<ReportFate<T>> fateOf(const Core& core, const Operation& operation, std::string_view id,
                             const void* params, const void* before, const RequestOptions& options) {
  return reportFate<T>({core, operation, id, params, before, options}, findFate);
}

template <class T>
Result<ReportFate<T>> settle(const Core& core, const Operation& operation, std::string_view id,
                             const void* params, const void* before, const RequestOptions& options) {
  return reportFate<T>({core, operation, id, params, before, options}, settleFate);
}

}  // namespace tally::detail
