#pragma once

#include <array>
#include <cstddef>

namespace tally::test {

/// The callers of a function, as backtrace() finds them.
struct Callers {
  static constexpr int most = 24;

  std::array<void*, most> frames{};
  int count = 0;
};

/// A block of memory, and the code that allocated it.
struct LiveBlock {
  std::size_t size = 0;
  Callers callers{};  ///< If callers are noted.
};

/// The blocks that malloc() has returned since start(), and that have not been freed. Those of threads with
/// an Exempt don't count.
namespace live_blocks {

void start() noexcept;
void noteCallers() noexcept;
[[nodiscard]] std::size_t count() noexcept;
/// The one that was allocated last.
[[nodiscard]] LiveBlock last() noexcept;

}  // namespace live_blocks

}  // namespace tally::test
