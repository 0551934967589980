#include <chrono>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tally/observer.h>
#include <tally/tracing.h>

#include "observability/trace_attributes.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

using detail::TraceAttributes;

/// Invokes `function`, since no exception of a tracer may disturb a call.
template <class Function>
void guarded(const Function& function) noexcept {
  try {
    function();
    // NOLINTNEXTLINE(bugprone-empty-catch): see above
  } catch (...) {
  }
}

void end(std::unique_ptr<TraceSpan>& span, const Event& event, bool isError,
         const TraceAttributes& attributes) {
  if (const auto ended = std::move(span))
    ended->end({.time = event.time, .isError = isError, .attributes = attributes.all()});
}

/// The spans of calls in progress.
class Tracing final : public Observer {
 public:
  explicit Tracing(std::shared_ptr<Tracer> tracer) : tracer_(std::move(tracer)) {}

  void on(const Event& event) noexcept override {
    guarded([&] {
      Spans& spans = of(event);
      if (event.kind == EventKind::attemptEnded) guarded([&] { endAttempt(spans, event); });
      if (event.kind != EventKind::callEnded) return;
      guarded([&] { endCall(spans, event); });
      forget(event);
    });
  }

  /// Starts the span of an attempt.
  void appendHeaders(std::vector<Header>& headers, const Event& attempt) noexcept {
    guarded([&] {
      Spans& spans = of(attempt);
      spans.attempt = startAttempt(spans, attempt);
      if (spans.attempt == nullptr) return;
      append(headers, "traceparent", spans.attempt->traceparent());
      append(headers, "tracestate", spans.attempt->tracestate());
    });
  }

 private:
  struct Spans {
    std::unique_ptr<TraceSpan> call{};
    std::unique_ptr<TraceSpan> attempt{};
  };

  static void append(std::vector<Header>& headers, std::string_view name, std::string value) {
    if (!value.empty()) headers.push_back({std::string{name}, std::move(value)});
  }

  /// Those of a call in progress. Only its thread uses them, so they need no lock.
  Spans& of(const Event& event) {
    const auto found = find(event);
    if (found.second) guarded([&] { found.first.call = startCall(event); });
    return found.first;
  }

  std::pair<Spans&, bool> find(const Event& event) {
    const std::scoped_lock lock{mutex_};
    const auto [found, isNew] = calls_.try_emplace(event.call);
    return {found->second, isNew};
  }

  void forget(const Event& event) {
    const std::scoped_lock lock{mutex_};
    calls_.erase(event.call);
  }

  /// A call begins with its first event, but one that is canceled immediately has only an end.
  [[nodiscard]] std::unique_ptr<TraceSpan> startCall(const Event& event) const {
    TraceAttributes attributes;
    attributes.addObject(event);
    const bool isOver = event.kind == EventKind::callEnded;
    return tracer_->start({.name = event.operation,
                           .kind = SpanKind::internal,
                           .time = isOver ? event.time - event.duration : event.time,
                           .traceparent = event.traceparent,
                           .tracestate = event.tracestate,
                           .attributes = attributes.all()});
  }

  [[nodiscard]] std::unique_ptr<TraceSpan> startAttempt(const Spans& spans, const Event& event) const {
    TraceAttributes attributes;
    attributes.addRequest(event);
    attributes.addUrl(event);
    return tracer_->start({.name = toString(event.method),
                           .kind = SpanKind::client,
                           .time = event.time,
                           .parent = spans.call.get(),
                           .traceparent = event.traceparent,
                           .tracestate = event.tracestate,
                           .attributes = attributes.all()});
  }

  void endAttempt(Spans& spans, const Event& event) const {
    TraceAttributes outcome;
    outcome.addOutcome(event);
    outcome.addRequestId(event);
    guarded([&] { end(spans.attempt, event, detail::isError(event), outcome); });
    TraceAttributes measured;
    measured.addRequest(event);
    measured.addOutcome(event);
    const std::chrono::duration<double> seconds = event.duration;
    tracer_->record(
        {.metric = "http.client.request.duration", .value = seconds.count(), .attributes = measured.all()});
  }

  /// An attempt that was not sent, because its headers were refused, ends with its call.
  static void endCall(Spans& spans, const Event& event) {
    TraceAttributes attributes;
    attributes.addEnd(event);
    guarded([&] { end(spans.attempt, event, true, {}); });
    end(spans.call, event, event.error != nullptr, attributes);
  }

  std::shared_ptr<Tracer> tracer_;
  std::mutex mutex_{};
  std::unordered_map<std::uint64_t, Spans> calls_{};
};

}  // namespace

ClientOptions traced(ClientOptions options, std::shared_ptr<Tracer> tracer) {
  auto tracing = std::make_shared<Tracing>(std::move(tracer));
  options.attemptHeaders = [tracing, others = std::move(options.attemptHeaders)](const Event& attempt) {
    std::vector<Header> headers = others ? others(attempt) : std::vector<Header>{};
    tracing->appendHeaders(headers, attempt);
    return headers;
  };
  options.observer = combineObservers({std::move(options.observer), std::move(tracing)});
  return options;
}

}  // namespace tally
