#pragma once

#include <tally/detail/cpp20.h>

#include <array>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include <tally/clock.h>
#include <tally/options.h>

// Spans and metrics of calls, with the names of OpenTelemetry's semantic conventions for HTTP clients. tally
// does not depend on the SDK of OpenTelemetry: implement Tracer with that SDK.

namespace [[gnu::visibility("default")]] tally {

/// An attribute of a span or a measurement. The name is a constant; a string value is valid only during the
/// call that receives it.
struct TraceAttribute {
  std::string_view name{};
  std::variant<std::string_view, std::int64_t> value{};
};

std::ostream& operator<<(std::ostream& out, const TraceAttribute& value);

/// The kinds of spans that OpenTelemetry calls INTERNAL and CLIENT.
enum class SpanKind : std::uint8_t {
  internal,  ///< A call, with all its attempts and waits.
  client,    ///< An attempt: one request.
};

std::ostream& operator<<(std::ostream& out, SpanKind kind);

class TraceSpan;

/// The beginning of a span.
struct SpanStart {
  std::string_view name{};  ///< Of a call: its operation; of an attempt: `GET` or `POST`.
  SpanKind kind = SpanKind::internal;
  Instant time{};                     ///< On the client's clock.
  const TraceSpan* parent = nullptr;  ///< Of an attempt: the span of its call, if Tracer::start() made one.
  /// The `traceparent` header that the application set on the call or its client; it identifies the parent of
  /// a call. `tracestate` is the header of that name. If `traceparent` is empty, the parent is the span that
  /// is active in the current thread. For a blocking call, that is the thread that makes the call. For an
  /// asynchronous call, it is not the thread that starts the call.
  std::string_view traceparent{};
  std::string_view tracestate{};
  std::span<const TraceAttribute> attributes{};
};

std::ostream& operator<<(std::ostream& out, const SpanStart& value);

/// The end of a span.
struct SpanEnd {
  Instant time{};        ///< On the client's clock.
  bool isError = false;  ///< Whether the status is ERROR; otherwise it remains unset.
  std::span<const TraceAttribute> attributes{};
};

std::ostream& operator<<(std::ostream& out, const SpanEnd& value);

/// A value of a histogram.
struct TraceMeasurement {
  std::string_view metric{};  ///< `http.client.request.duration`
  double value = 0;           ///< In seconds.
  std::span<const TraceAttribute> attributes{};
};

std::ostream& operator<<(std::ostream& out, const TraceMeasurement& value);

/// The bounds of the buckets of `http.client.request.duration` that the conventions recommend, in seconds.
inline constexpr std::array httpRequestDurationBounds = {0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25,
                                                         0.5,   0.75, 1.0,   2.5,  5.0,   7.5, 10.0};

/// A span that has started. Used by one thread at a time, but not always by the same thread.
class TraceSpan {
 public:
  virtual ~TraceSpan() = default;

  /// The context of the span as the value of the `traceparent` header; empty: no such header is sent for the
  /// span. The same applies to `tracestate`.
  [[nodiscard]] virtual std::string traceparent() const = 0;
  [[nodiscard]] virtual std::string tracestate() const { return {}; }

  /// Called once, after all other functions.
  virtual void end(const SpanEnd& end) = 0;

 protected:
  TraceSpan() = default;
  TraceSpan(const TraceSpan&) = default;
  TraceSpan& operator=(const TraceSpan&) = default;
};

/// Makes spans with the SDK of OpenTelemetry or a similar SDK. A tracer is called during each call, in the
/// thread that makes the call or in the thread of an AsyncClient. It must therefore be thread-safe and fast.
/// It must not make calls with a client that it traces. Exceptions are ignored: the span, its header or the
/// measurement is then missing.
class Tracer {
 public:
  virtual ~Tracer() = default;

  /// Starts a span. Null: there is no span.
  [[nodiscard]] virtual std::unique_ptr<TraceSpan> start(const SpanStart& start) = 0;

  /// Records the duration of an attempt.
  virtual void record(const TraceMeasurement& measurement) { (void)measurement; }

 protected:
  Tracer() = default;
  Tracer(const Tracer&) = default;
  Tracer& operator=(const Tracer&) = default;
};

/// Returns `options` for a client that makes a span for each call and for each attempt. The client sends the
/// context of the attempt's span as `traceparent` and `tracestate`. Sets `observer` and `attemptHeaders`; an
/// observer or a function that is already set remains in effect. The client shares the ownership of `tracer`,
/// which must not be null.
///
/// An attempt has the attributes `http.request.method`, `server.address`, `server.port` and `url.full`, which
/// omits credentials and the query. Attempts after the first also have `http.request.resend_count`. When an
/// attempt ends, it gets `http.response.status_code`, `error.type` and `tally.request_id`. A status of 400 or
/// more is an error, whose type is the status. The type of other errors is their ErrorKind or
/// TransportFailure::Kind, such as `could_not_connect`.
///
/// A call has the attribute `tally.object`. When it ends, it gets `tally.attempts` and, if it failed,
/// `error.type` and `tally.effect`.
///
/// Each page of a list has a span of its own, and so does each call that resolveReport() or reportAll()
/// makes. Calls whose parameters or options are rejected have no span.
[[nodiscard]] ClientOptions traced(ClientOptions options, std::shared_ptr<Tracer> tracer);

}  // namespace tally
