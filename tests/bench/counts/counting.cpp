#include "bench/counts/counting.h"

#include <valgrind/callgrind.h>

#include "support/failing_allocations.h"

namespace tally::bench {

namespace {

bool counts = false;
std::size_t counted = 0;  // allocations, until the counting paused
std::size_t resumedAt = 0;

void resume() noexcept {
  counts = true;
  resumedAt = test::allocationsSoFar();
  CALLGRIND_TOGGLE_COLLECT;
}

void pause() noexcept {
  CALLGRIND_TOGGLE_COLLECT;
  counted += test::allocationsSoFar() - resumedAt;
  counts = false;
}

}  // namespace

Counting::Counting() noexcept {
  counted = 0;
  resume();
}

Counting::~Counting() {
  pause();
}

std::size_t Counting::allocations() const noexcept {
  return counted + test::allocationsSoFar() - resumedAt;
}

Uncounted::Uncounted() noexcept : pauses_(counts) {
  if (pauses_) pause();
}

Uncounted::~Uncounted() {
  if (pauses_) resume();
}

}  // namespace tally::bench
