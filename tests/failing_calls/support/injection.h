#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "failing_calls/support/call.h"
#include "failing_calls/support/live_blocks.h"

namespace tally::test {

/// Which threads a call belongs to. A thread has the side of the one that started it.
enum class Side : std::uint8_t { none, client, server };

/// During its lifetime, this thread is on that side.
class OnSide {
 public:
  explicit OnSide(Side side) noexcept;
  OnSide(const OnSide&) = delete;
  OnSide& operator=(const OnSide&) = delete;
  ~OnSide();

 private:
  Side before_;
};

[[nodiscard]] Side currentSide() noexcept;

/// During its lifetime, no call of this thread fails or is counted.
class Exempt {
 public:
  Exempt() noexcept;
  Exempt(const Exempt&) = delete;
  Exempt& operator=(const Exempt&) = delete;
  ~Exempt();

  /// Whether this thread has one.
  [[nodiscard]] static bool isInForce() noexcept;

 private:
  bool before_;
};

/// What a run has counted, and the call that failed first. A process and its child can share it.
struct Injection {
  std::array<std::atomic<std::uint32_t>, callCount> counts{};
  std::atomic<bool> hasFailed{false};
  Callers callers{};  // of the call that failed
};

/// While one exists, calls of `side` are counted, and that of `place` fails; null: none does.
class FailingCalls {
 public:
  FailingCalls(Injection& injection, Side side, const Place* place) noexcept;
  FailingCalls(const FailingCalls&) = delete;
  FailingCalls& operator=(const FailingCalls&) = delete;
  ~FailingCalls();
};

/// For the functions that this program replaces: counts a call of this thread. Returns whether it fails; then
/// `errno` is set.
[[nodiscard]] bool fails(Call call) noexcept;

/// The same for a call that may transfer less than `size`, which is then reduced.
[[nodiscard]] bool fails(Call call, std::size_t& size) noexcept;

/// Whether all further calls of this kind fail.
[[nodiscard]] bool failsFromNowOn(Call call) noexcept;

}  // namespace tally::test
