#include "support/failing_allocations.h"

#include <cstddef>
#include <new>
#include <thread>

#include <gtest/gtest.h>

namespace tally::test {
namespace {

/// How many allocations of `code` fail, each in a separate run.
template <class Code>
int failuresOf(const Code& code) {
  for (int n = 1;; ++n) {
    const FailingAllocations fail{static_cast<std::size_t>(n)};
    try {
      code();
      if (!fail.failed()) return n - 1;
    } catch (const std::bad_alloc&) {
      if (!fail.failed()) return -1;
    }
  }
}

/// Calls `operator new` directly, because compilers may omit allocations by new-expressions.
class Memory {
 public:
  Memory() : bytes_(::operator new(1)) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { ::operator delete(bytes_); }

 private:
  void* bytes_;
};

class AlignedMemory {
 public:
  AlignedMemory() : bytes_(::operator new(1, alignment)) {}
  AlignedMemory(const AlignedMemory&) = delete;
  AlignedMemory& operator=(const AlignedMemory&) = delete;
  ~AlignedMemory() { ::operator delete(bytes_, alignment); }

 private:
  static constexpr std::align_val_t alignment{128};
  void* bytes_;
};

TEST(FailingAllocations, CanOccurAtEachAllocationInTurn) {
  EXPECT_EQ(failuresOf([] {
              const Memory one;
              const AlignedMemory another;
              const Memory last;
            }),
            3);
}

TEST(FailingAllocations, FailOnlyOnceAndNotAfterTheirScope) {
  {
    const FailingAllocations fail{1};
    EXPECT_FALSE(fail.failed());
    EXPECT_THROW(Memory{}, std::bad_alloc);
    EXPECT_TRUE(fail.failed());
    EXPECT_NO_THROW(Memory{});
  }
  {
    const FailingAllocations never{2};
  }
  EXPECT_NO_THROW(Memory{});
  EXPECT_NO_THROW(Memory{});
}

TEST(AllocationsSoFar, CountsAllocationsInThisThread) {
  const std::size_t before = allocationsSoFar();
  const Memory one;
  const AlignedMemory another;
  EXPECT_EQ(allocationsSoFar() - before, 2);
  std::size_t elsewhere = 1;
  std::thread{[&] { elsewhere = allocationsSoFar(); }}.join();
  EXPECT_EQ(elsewhere, 0);
}

}  // namespace
}  // namespace tally::test
