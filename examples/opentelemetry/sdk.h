#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

// A stand-in for the API of OpenTelemetry for C++, which Debian 12 does not have: the names and members that
// the adapter needs. Its tracer prints each span that ends.

namespace opentelemetry::trace {

enum class SpanKind : std::uint8_t { kInternal, kClient };
enum class StatusCode : std::uint8_t { kUnset, kOk, kError };

/// An identifier or flags, as hexadecimal digits.
struct Digits {
  std::string text{};
  void ToLowerBase16(std::span<char> out) const { std::ranges::copy(text, out.begin()); }
};

struct TraceState {
  [[nodiscard]] static std::string ToHeader() { return {}; }
};

class SpanContext {
 public:
  SpanContext() = default;
  SpanContext(std::string_view trace, std::string_view span)
      : trace_{std::string{trace}}, span_{std::string{span}} {}

  [[nodiscard]] bool IsValid() const { return !trace_.text.empty(); }
  [[nodiscard]] const Digits& trace_id() const { return trace_; }
  [[nodiscard]] const Digits& span_id() const { return span_; }
  [[nodiscard]] Digits trace_flags() const { return {"01"}; }
  [[nodiscard]] std::shared_ptr<TraceState> trace_state() const { return std::make_shared<TraceState>(); }

 private:
  Digits trace_{};
  Digits span_{};
};

/// HttpTraceContext::Extract() of the real API returns a context with this.
inline SpanContext contextOf(std::string_view traceparent) {
  if (traceparent.size() != 55) return {};
  return {traceparent.substr(3, 32), traceparent.substr(36, 16)};
}

struct StartSpanOptions {
  std::chrono::system_clock::time_point start_system_time{};
  std::chrono::steady_clock::time_point start_steady_time{};
  SpanContext parent{};
  SpanKind kind = SpanKind::kInternal;
};

struct EndSpanOptions {
  std::chrono::steady_clock::time_point end_steady_time{};
};

class Span {
 public:
  Span(std::string_view name, SpanContext context, const StartSpanOptions& options)
      : name_(name), context_(std::move(context)), options_(options) {}

  [[nodiscard]] const SpanContext& GetContext() const { return context_; }
  void SetAttribute(std::string_view key, std::variant<std::string_view, std::int64_t> value) {
    const auto* const number = std::get_if<std::int64_t>(&value);
    attributes_[std::string{key}] =
        number == nullptr ? std::string{std::get<std::string_view>(value)} : std::to_string(*number);
  }
  void SetStatus(StatusCode code) { isError_ = code == StatusCode::kError; }
  void End(const EndSpanOptions& end) const {
    const std::chrono::duration<double> seconds = end.end_steady_time - options_.start_steady_time;
    std::cout << (options_.kind == SpanKind::kClient ? "  " : "") << name_ << ' ' << context_.span_id().text
              << " in " << options_.parent.span_id().text << ", " << seconds.count() << " s"
              << (isError_ ? ", ERROR" : "");
    for (const auto& [key, value] : attributes_)
      std::cout << ' ' << key << '=' << value;
    std::cout << '\n';
  }

 private:
  std::string name_;
  SpanContext context_;
  StartSpanOptions options_;
  std::map<std::string, std::string> attributes_{};
  bool isError_ = false;
};

/// For one thread; the identifiers of its spans are consecutive.
class Tracer {
 public:
  std::shared_ptr<Span> StartSpan(std::string_view name, const StartSpanOptions& options) {
    const std::string number = std::to_string(++spans_);
    const std::string id = std::string(16 - number.size(), '0') + number;
    const std::string trace =
        options.parent.IsValid() ? options.parent.trace_id().text : std::string(16, '0') + id;
    return std::make_shared<Span>(name, SpanContext{trace, id}, options);
  }

 private:
  int spans_ = 0;
};

}  // namespace opentelemetry::trace
