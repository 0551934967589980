#include <array>
#include <ostream>

#include <tally/limit_types.h>
#include <tally/open_enum.h>

#include "print/value_line.h"

namespace [[gnu::visibility("default")]] tally {

using detail::ValueLine;

std::ostream& operator<<(std::ostream& out, LimitMetric value) {
  constexpr std::array<std::string_view, 3> texts{"requests", "changes", "in progress"};
  return detail::printEnumerator(out, texts, static_cast<std::size_t>(value));
}

std::ostream& operator<<(std::ostream& out, LimitScope value) {
  constexpr std::array<std::string_view, 3> texts{"account", "operation", "object"};
  return detail::printEnumerator(out, texts, static_cast<std::size_t>(value));
}

std::ostream& operator<<(std::ostream& out, const Limit& value) {
  return out << ValueLine{"Limit"}
                    .add("name", value.name)
                    .add("reason", value.reason)
                    .add("metric", value.metric)
                    .add("scope", value.scope)
                    .add("operations", value.operations)
                    .add("onlyWithParam", value.onlyWithParam)
                    .add("object", value.object)
                    .add("countsForConnectedAccount", value.countsForConnectedAccount)
                    .add("addsToEndpointRate", value.addsToEndpointRate)
                    .add("live", value.live)
                    .add("sandbox", value.sandbox)
                    .add("window", value.window);
}

std::ostream& operator<<(std::ostream& out, const LimitOverride& value) {
  ValueLine line{"LimitOverride"};
  line.add("limit", value.limit);
  value.value ? line.add("value", *value.value) : line.add("value", "off");
  return out << line.add("livemode", value.livemode)
                    .add("operation", value.operation)
                    .add("country", value.country)
                    .add("industry", value.industry);
}

std::ostream& operator<<(std::ostream& out, const ReadAllocation& value) {
  return out << ValueLine{"ReadAllocation"}
                    .add("readsPerTransaction", value.readsPerTransaction)
                    .add("minimum", value.minimum)
                    .add("window", value.window);
}

}  // namespace tally
