#pragma once

#include <cstddef>

namespace tally::test {

/// During its lifetime, the `n`-th allocation by `operator new` in this thread throws std::bad_alloc; all
/// others are unaffected. To fail each allocation of some code in turn:
///
///     for (std::size_t n = 1;; ++n) {
///       FailingAllocations fail{n};
///       try { code(); } catch (const std::bad_alloc&) {}
///       if (!fail.failed()) break;  // fewer than n allocations
///     }
///
/// At most one instance per thread. malloc() in C code never fails. Requires that failing_allocations.cpp,
/// which replaces `operator new`, is compiled into the executable.
class FailingAllocations {
 public:
  /// 1 fails the next allocation; 0 fails none.
  explicit FailingAllocations(std::size_t n) noexcept;
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;
  ~FailingAllocations();

  /// Whether the allocation was requested and failed.
  [[nodiscard]] bool failed() const noexcept;
};

/// How many times this thread has called `operator new`, with the same requirement.
[[nodiscard]] std::size_t allocationsSoFar() noexcept;

}  // namespace tally::test
