#include <ostream>
#include <string>

#include <tally/tracing.h>

#include "print/value_line.h"

namespace [[gnu::visibility("default")]] tally {

using detail::ValueLine;

std::ostream& operator<<(std::ostream& out, SpanKind kind) {
  return out << (kind == SpanKind::client ? "client" : "internal");
}

std::ostream& operator<<(std::ostream& out, const TraceAttribute& value) {
  ValueLine line{"TraceAttribute"};
  line.add("name", value.name);
  std::visit([&](const auto& each) { line.add("value", each); }, value.value);
  return out << line;
}

std::ostream& operator<<(std::ostream& out, const SpanStart& value) {
  return out << ValueLine{"SpanStart"}
                    .add("name", value.name)
                    .add("kind", value.kind)
                    .add("time", value.time)
                    .addSet("parent", value.parent != nullptr)
                    .add("traceparent", value.traceparent)
                    .add("tracestate", value.tracestate)
                    .add("attributes", value.attributes);
}

std::ostream& operator<<(std::ostream& out, const SpanEnd& value) {
  return out << ValueLine{"SpanEnd"}
                    .add("time", value.time)
                    .add("isError", value.isError)
                    .add("attributes", value.attributes);
}

std::ostream& operator<<(std::ostream& out, const TraceMeasurement& value) {
  return out << ValueLine{"TraceMeasurement"}
                    .add("metric", value.metric)
                    .add("value", value.value)
                    .add("attributes", value.attributes);
}

}  // namespace tally
