#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "outbox/differential/memory_under_test.h"
#include "outbox/differential/store_trace.h"
#include "outbox/store_contract.h"

namespace tally::test {
namespace {

constexpr int steps = 60;

std::string traceOf(StoreUnderTest& tested, std::uint64_t seed) {
  return StoreTrace{tested, seed, !Traces::GetParam().repeatsRechecks}.of(steps);
}

TEST_P(Traces, AreTheSameAsInMemory) {
  for (std::uint64_t seed = 1; seed <= GetParam().traces; ++seed) {
    const auto tested = GetParam().make();
    if (tested == nullptr) GTEST_SKIP() << GetParam().name << " is not installed";
    MemoryUnderTest memory;
    ASSERT_EQ(traceOf(*tested, seed), traceOf(memory, seed)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tally::test
