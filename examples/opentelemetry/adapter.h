#pragma once

#include <memory>
#include <string>

#include <tally/tracing.h>

#include "sdk.h"  // in place of <opentelemetry/trace/provider.h> and <opentelemetry/trace/propagation/http_trace_context.h>

namespace trace = opentelemetry::trace;

/// A span of OpenTelemetry, for tally.
struct OtelSpan final : tally::TraceSpan {
  explicit OtelSpan(std::shared_ptr<trace::Span> started) : span(std::move(started)) {}
  std::string traceparent() const override {
    std::string text = "00-" + std::string(32, '0') + '-' + std::string(16, '0') + '-' + "00";
    span->GetContext().trace_id().ToLowerBase16(std::span<char, 32>{&text[3], 32});
    span->GetContext().span_id().ToLowerBase16(std::span<char, 16>{&text[36], 16});
    span->GetContext().trace_flags().ToLowerBase16(std::span<char, 2>{&text[53], 2});
    return text;
  }
  std::string tracestate() const override { return span->GetContext().trace_state()->ToHeader(); }
  void end(const tally::SpanEnd& end) override {
    set(end.attributes);
    if (end.isError) span->SetStatus(trace::StatusCode::kError);
    span->End({.end_steady_time = std::chrono::steady_clock::time_point{end.time.time_since_epoch()}});
  }
  void set(std::span<const tally::TraceAttribute> attributes) {
    for (const auto& [name, value] : attributes)
      std::visit([&](const auto& each) { span->SetAttribute(name, each); }, value);
  }
  std::shared_ptr<trace::Span> span;
};

/// A tracer of OpenTelemetry, for tally.
struct OtelTracer final : tally::Tracer {
  explicit OtelTracer(std::shared_ptr<trace::Tracer> from) : tracer(std::move(from)) {}
  std::unique_ptr<tally::TraceSpan> start(const tally::SpanStart& start) override {
    const auto* call = static_cast<const OtelSpan*>(start.parent);
    auto span = std::make_unique<OtelSpan>(tracer->StartSpan(
        start.name,
        {.start_system_time = std::chrono::time_point_cast<std::chrono::system_clock::duration>(start.time),
         .start_steady_time = std::chrono::steady_clock::time_point{start.time.time_since_epoch()},
         .parent = call != nullptr ? call->span->GetContext() : trace::contextOf(start.traceparent),
         .kind =
             start.kind == tally::SpanKind::client ? trace::SpanKind::kClient : trace::SpanKind::kInternal}));
    span->set(start.attributes);
    return span;
  }
  std::shared_ptr<trace::Tracer> tracer;
};
