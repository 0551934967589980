#pragma once

#include <cstddef>

namespace tally::test {

/// While this lives, the `n`-th allocation by `operator new` in this thread throws std::bad_alloc; all others
/// go on as usual. To fail each allocation of some code in turn:
///
///     for (std::size_t n = 1;; ++n) {
///       FailingAllocations fail{n};
///       try { code(); } catch (const std::bad_alloc&) {}
///       if (!fail.failed()) break;  // there were fewer than n
///     }
///
/// One at a time in each thread. What C code allocates by malloc() never fails. Works in executables that
/// failing_allocations.cpp, which replaces `operator new`, is compiled into.
class FailingAllocations {
 public:
  /// 1 is the next one; 0 fails none.
  explicit FailingAllocations(std::size_t n) noexcept;
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;
  ~FailingAllocations();

  /// Whether that allocation has been asked for, and has failed.
  [[nodiscard]] bool failed() const noexcept;
};

}  // namespace tally::test
