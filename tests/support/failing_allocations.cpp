#include "support/failing_allocations.h"

#include <cstdlib>
#include <new>

// NOLINTBEGIN(cppcoreguidelines-no-malloc): operator new itself

namespace tally::test {

namespace {

// Per thread: the number of allocations, the number until the failing one, and whether it has failed.
constinit thread_local std::size_t allocationsMade = 0;
constinit thread_local std::size_t allocationsLeft = 0;
constinit thread_local bool allocationFailed = false;

bool failsNow() noexcept {
  ++allocationsMade;
  if (allocationsLeft == 0) return false;
  if (--allocationsLeft > 0) return false;
  allocationFailed = true;
  return true;
}

/// At least one byte, so that each allocation has its own address.
void* allocate(std::size_t size) {
  void* memory = failsNow() ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}

/// std::aligned_alloc() requires a multiple of the alignment.
void* allocate(std::size_t size, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  const std::size_t units = size == 0 ? 1 : (size + unit - 1) / unit;
  void* memory = failsNow() ? nullptr : std::aligned_alloc(unit, units * unit);
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}

}  // namespace

FailingAllocations::FailingAllocations(std::size_t n) noexcept {
  allocationsLeft = n;
  allocationFailed = false;
}

FailingAllocations::~FailingAllocations() {
  allocationsLeft = 0;
}

bool FailingAllocations::failed() const noexcept {
  return allocationFailed;
}

std::size_t allocationsSoFar() noexcept {
  return allocationsMade;
}

}  // namespace tally::test

// The other forms of new and delete (for arrays, without exceptions) call these.

void* operator new(std::size_t size) {
  return tally::test::allocate(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return tally::test::allocate(size, alignment);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

// NOLINTEND(cppcoreguidelines-no-malloc)
