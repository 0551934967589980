// Starts of asynchronous calls for which memory is lacking.

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include <tally/call.h>

#include <gtest/gtest.h>

#include "support/failing_allocations.h"

namespace tally::test {

namespace {

/// An operation that can't be started. Notes how many allocations preceded.
class Unstartable final : public detail::AsyncOperation<int> {
 public:
  explicit Unstartable(std::size_t& allocations) : allocations_(allocations) {}

  void start(detail::Continuation<int>& /*continuation*/) override {
    const std::unique_ptr<Unstartable> self{this};
    allocations_ = allocationsSoFar();
    throw std::bad_alloc{};
  }
  void requestCancel() noexcept override {}
  void abandon() noexcept override {}

 private:
  std::size_t& allocations_;
};

}  // namespace

/// Otherwise, the program would end: what a destructor throws is not caught.
TEST(FutureOfACall, TakesNoMemoryIfTheCallCannotBeStarted) {
  std::size_t allocations = 0;
  Call<int> call{std::make_unique<Unstartable>(allocations)};
  EXPECT_THROW((void)call.future(), std::bad_alloc);
  EXPECT_EQ(allocationsSoFar(), allocations);
}

}  // namespace tally::test
