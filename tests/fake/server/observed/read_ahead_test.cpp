#include "observed/read_ahead.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::fake::detail {

namespace {

using testing::ThrowsMessage;

/// A number of requests, then an end or an error.
class Numbers final : public Recording {
 public:
  explicit Numbers(std::uint64_t count, bool fails = false) : count_(count), fails_(fails) {}

  [[nodiscard]] std::optional<Recorded> next() override {
    if (read == count_ && fails_) throw std::runtime_error{"broken"};
    if (read == count_) return std::nullopt;
    return Recorded{.number = ++read, .request = {.body = std::string(bodySize, 'x')}};
  }
  void rewind() override { read = 0; }

  std::atomic<std::uint64_t> read = 0;
  std::size_t bodySize = 0;

 private:
  const std::uint64_t count_;
  const bool fails_;
};

/// Takes requests until the end, and expects them in order.
std::uint64_t countOf(Recording& recording) {
  std::uint64_t count = 0;
  while (auto recorded = recording.next()) {
    EXPECT_EQ(recorded->number, ++count);
    if (count % 3 != 0) recording.giveBack(*std::move(recorded));
  }
  return count;
}

TEST(ReadAhead, ReturnsRequestsInRecordedOrder) {
  for (const std::uint64_t count : {0U, 1U, 31U, 32U, 33U, 1'000U}) {
    Numbers numbers{count};
    ReadAhead ahead{numbers};
    EXPECT_EQ(countOf(ahead), count);
    EXPECT_FALSE(ahead.next()) << "after the end";
  }
}

TEST(ReadAhead, CanBeRewoundFromAnyPosition) {
  Numbers numbers{500};
  ReadAhead ahead{numbers};
  for (const int taken : {0, 1, 40, 499, 500}) {
    for (int i = 0; i < taken; ++i)
      EXPECT_TRUE(ahead.next());
    ahead.rewind();
    EXPECT_EQ(countOf(ahead), 500U);
    ahead.rewind();
  }
}

TEST(ReadAhead, ThrowsAnErrorOnlyAfterThePrecedingRequests) {
  Numbers numbers{40, true};
  ReadAhead ahead{numbers};
  for (int pass = 0; pass < 2; ++pass) {
    for (std::uint64_t number = 1; number <= 40; ++number)
      EXPECT_EQ(ahead.next().value_or(Recorded{}).number, number);
    EXPECT_THAT([&] { (void)ahead.next(); }, ThrowsMessage<std::runtime_error>("broken"));
    EXPECT_THAT([&] { (void)ahead.next(); }, ThrowsMessage<std::runtime_error>("broken")) << "again";
    ahead.rewind();
  }
}

/// Requests that are never used must not fill the memory, and an end must not wait for them.
TEST(ReadAhead, ReadsABoundedNumberOfRequestsAhead) {
  Numbers numbers{std::numeric_limits<std::uint64_t>::max()};
  numbers.bodySize = 100'000;
  const ReadAhead ahead{numbers};
  while (numbers.read < 12)
    std::this_thread::yield();
  for (int i = 0; i < 1'000; ++i)
    std::this_thread::yield();
  EXPECT_LE(numbers.read, 15U) << "four batches of three, and one in the making";
}

}  // namespace

}  // namespace tally::fake::detail
