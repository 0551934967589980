#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <tally/report_check.h>
#include <tally/result.h>

#include <gtest/gtest.h>

namespace tally {
namespace {

// A report that was not applied can't be mistaken for a success.
static_assert(!std::is_constructible_v<bool, Result<ReportCheck<int>>>);
static_assert(std::is_constructible_v<bool, Result<int>>);

Error late() {
  return Error{{.kind = ErrorKind::timeout, .message = "late"}};
}

Result<int> half(int number) {
  if (number % 2 != 0) return late();
  return number / 2;
}

Result<void> check(int number) {
  if (number % 2 != 0) return late();
  return boost::outcome_v2::success();
}

Result<std::string> quarter(int number) {
  BOOST_OUTCOME_TRY(const int first, half(number));
  BOOST_OUTCOME_TRY(check(first));
  BOOST_OUTCOME_TRY(const int second, half(first));
  return std::to_string(second);
}

TEST(ResultOfACall, CanBeUsedLikeAPointer) {
  Result<std::string> result = quarter(8);
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, "2");
  EXPECT_EQ(result->size(), 1U);
  *result = "3";
  EXPECT_EQ(result.value(), "3");
  EXPECT_EQ(*std::as_const(result), "3");
}

TEST(ResultOfACall, ThrowsWhenTheRequestedValueOrErrorIsMissing) {
  const Result<std::string> result = quarter(2);
  EXPECT_FALSE(result);
  EXPECT_THROW((void)result.value(), Exception);
  EXPECT_THROW((void)*result, Exception);
  EXPECT_THROW((void)result->size(), Exception);
  EXPECT_THROW(*check(1), Exception);
  EXPECT_THROW((void)quarter(8).error(), std::logic_error);
}

TEST(ResultOfACall, ReturnsItsValueOrADefault) {
  EXPECT_EQ(half(4).value_or(7), 2);
  EXPECT_EQ(half(3).value_or(7), 7);
  const Result<std::string> none = late();
  EXPECT_EQ(none.value_or("other"), "other");
}

TEST(ResultOfACall, CanContinueWithAFunctionThatMayFail) {
  EXPECT_EQ(*half(8).and_then(half), 2);
  EXPECT_EQ(half(6).and_then(half).error().message(), "late");
  EXPECT_EQ(half(5).and_then(half).error().message(), "late");
  EXPECT_TRUE(check(2).and_then([] { return half(2); }));
}

TEST(ResultOfACall, CanTransformItsValue) {
  EXPECT_EQ(*half(8).transform([](int number) { return std::to_string(number); }), "4");
  EXPECT_TRUE(half(7).transform([](int) { return 1; }).has_error());
  int calls = 0;
  EXPECT_TRUE(half(8).transform([&](int) { ++calls; }));
  EXPECT_TRUE(half(7).transform([&](int) { ++calls; }).has_error());
  EXPECT_EQ(calls, 1);
}

TEST(ResultOfACall, LetsAMoveOnlyValueBeMovedOut) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const auto plus = [](std::unique_ptr<int> number) { return *number + 1; };
  EXPECT_EQ(*std::move(result).transform(plus), 4);
  Result<std::unique_ptr<int>> other = std::make_unique<int>(5);
  const std::unique_ptr<int> taken = *std::move(other);
  EXPECT_EQ(*taken, 5);
}

#ifdef __cpp_lib_expected
TEST(ResultOfACall, ConvertsToExpected) {
  const std::expected<int, Error> expected = half(4);
  EXPECT_EQ(*expected, 2);
  const std::expected<int, Error> failed = half(3);
  EXPECT_EQ(failed.error().message(), "late");
  const std::expected<void, Error> nothing = check(2);
  EXPECT_TRUE(nothing.has_value());
}
#endif

}  // namespace
}  // namespace tally
