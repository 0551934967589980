#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "load/document.h"
#include "model/description.h"

namespace tally::codegen::model {

/// The values of x-kind.
inline constexpr std::pair<std::string_view, OperationKind> operationKinds[] = {
    {"create", OperationKind::create}, {"retrieve", OperationKind::retrieve},
    {"update", OperationKind::update}, {"report", OperationKind::report},
    {"list", OperationKind::list},     {"search", OperationKind::search},
};

/// The values of `metric` and `per` of a limit.
inline constexpr std::pair<std::string_view, LimitMetric> limitMetrics[] = {
    {"requests", LimitMetric::requests},
    {"changes", LimitMetric::changes},
    {"in_progress", LimitMetric::inProgress},
};
inline constexpr std::pair<std::string_view, LimitScope> limitScopes[] = {
    {"account", LimitScope::account},
    {"operation", LimitScope::operation},
    {"object", LimitScope::object},
};

/// The name of a value in a table that has all of them.
template <class Value, std::size_t size>
[[nodiscard]] constexpr std::string_view nameOf(const std::pair<std::string_view, Value> (&values)[size],
                                                Value value) {
  return std::ranges::find(values, value, &std::pair<std::string_view, Value>::second)->first;
}

/// The value that the text at `node` names. Nothing, and a problem about an unknown `what`, if it names none.
template <class Value, std::size_t size>
[[nodiscard]] std::optional<Value> named(const std::pair<std::string_view, Value> (&values)[size],
                                         const load::Node& node, std::string_view what, Problems& problems) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) {
    if (name == node.text()) return value;
    names.emplace_back(name);
  }
  problems.add(node, "unknown " + std::string{what} + ' ' + inQuotes(node.text()), "make it " + oneOf(names));
  return std::nullopt;
}

}  // namespace tally::codegen::model
