#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <tally/observer.h>
#include <tally/tracing.h>

namespace tally::detail {

/// The attributes of a span or a measurement, by OpenTelemetry's semantic conventions for HTTP clients.
/// Refers to the event.
class TraceAttributes {
 public:
  TraceAttributes() = default;
  TraceAttributes(const TraceAttributes&) = delete;
  TraceAttributes& operator=(const TraceAttributes&) = delete;

  /// Of the request that an attempt sends.
  void addRequest(const Event& attempt);
  /// What identifies that request among others.
  void addUrl(const Event& attempt);
  /// Of an attempt that has ended.
  void addOutcome(const Event& attempt);
  void addRequestId(const Event& attempt);
  /// Of a call.
  void addObject(const Event& event);
  /// Of a call that has ended.
  void addEnd(const Event& call);

  [[nodiscard]] std::span<const TraceAttribute> all() const noexcept {
    return std::span{attributes_}.first(size_);
  }

 private:
  void add(std::string_view name, std::string_view value);
  void add(std::string_view name, std::int64_t value);

  static constexpr std::size_t most = 8;

  std::array<TraceAttribute, most> attributes_{};
  std::size_t size_ = 0;
  std::string url_{};
  std::string error_{};
};

/// Whether the span of an attempt has the status ERROR.
[[nodiscard]] bool isError(const Event& attempt) noexcept;

}  // namespace tally::detail
