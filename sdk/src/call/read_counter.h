#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include <tally/clock.h>
#include <tally/limits.h>
#include <tally/reads_used.h>

#include "http/answer.h"
#include "time/sliding_window.h"

namespace tally::detail {

/// Counts the completed reads of a client: at least those that the service counted, and exactly those if each
/// got a response. Thread-safe.
class ReadCounter {
 public:
  /// The allocation that a read counts against.
  enum class Payer : std::uint8_t { own, onBehalf, otherKey };

  /// `before` counts as if read now.
  ReadCounter(const ReadsUsed& before, Instant now);

  void add(Payer payer, Instant now) noexcept;

  [[nodiscard]] ReadsUsed used(Instant now);

 private:
  /// Counts are exact up to this many distinct instants within the window, then coarser. Bounds memory.
  static constexpr std::size_t mostInstants = 2'048;

  struct Window : SlidingWindow {
    Window() : SlidingWindow(limits::readAllocation.window, mostInstants) { reserve(1); }
  };

  [[nodiscard]] Window& of(Payer payer) noexcept;
  [[nodiscard]] Instant notBefore(Instant now) noexcept;

  std::mutex mutex_{};
  Window own_{};
  Window onBehalf_{};
  Window otherKeys_{};
  Instant last_{};
};

/// Counts the attempts of a reading call and passes them to `reader`.
class CountedReader final : public Reader {
 public:
  CountedReader(const Reader& reader, ReadCounter& counter, ReadCounter::Payer payer)
      : reader_(reader), counter_(counter), payer_(payer) {}

  [[nodiscard]] std::optional<Error> read(TransportResult& answer, Instant now) const override;
  void abandoned(Instant now) const noexcept override;

 private:
  const Reader& reader_;
  ReadCounter& counter_;
  ReadCounter::Payer payer_;
};

}  // namespace tally::detail
