#include "schema/limit_plan.h"

#include <array>
#include <stdexcept>

#include <gtest/gtest.h>

#include "fake/support/gadget.h"
#include "fake/support/gadget_limits.h"
#include "fake/support/limit_usage.h"

namespace tally::detail {

namespace {

using test::GadgetParams;
using test::operationOf;
using test::wrongWith;

class LimitPlanTest : public testing::Test {
 protected:
  /// The limits that apply to requests for an operation, in order.
  std::vector<std::string_view> met(std::string_view operation, const GadgetParams& params = {}) {
    std::vector<std::string_view> names;
    for (const Check& check : plan.checks(operationOf(operation)))
      if (check.covers(refTo(params))) names.push_back(plan.slots()[check.slot].limit->name);
    return names;
  }
  std::optional<std::int64_t> number(const LimitNumbers& all, std::string_view limit,
                                     std::string_view operation = {}) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Slot& slot = plan.slots()[i];
      if (slot.limit->name == limit && (slot.operation == nullptr ? "" : slot.operation->name) == operation)
        return all[i];
    }
    ADD_FAILURE() << "no slot for " << limit;
    return std::nullopt;
  }

  LimitPlan plan{test::gadgets.operations, test::madeLimits};
  LimitNumbers numbers = documentedNumbers(plan, false);
};

using Names = std::vector<std::string_view>;

TEST_F(LimitPlanTest, ChecksLimitsInTheOrderOfTheirReasons) {
  EXPECT_EQ(met("gadgets.list"), (Names{"at_once", "each_at_once", "overall", "each"}));
  EXPECT_EQ(met("gadgets.stop"), (Names{"at_once", "stops_at_once", "each_at_once", "overall", "each"}))
      << "with the same reason, in the order of the description";
}

TEST_F(LimitPlanTest, ReplacesTheEndpointLimitWithANamedLimit) {
  EXPECT_EQ(met("gadgets.start"), (Names{"at_once", "each_at_once", "overall", "starts_of_one"}));
  EXPECT_EQ(met("gadgets.create", {.parent = Id<test::Gadget>{"gad_1"}}),
            (Names{"at_once", "each_at_once", "overall", "children"}));
}

TEST_F(LimitPlanTest, SkipsObjectLimitsWhenNoObjectIsNamed) {
  EXPECT_EQ(met("gadgets.create"), (Names{"at_once", "each_at_once", "overall"}));
}

TEST_F(LimitPlanTest, ReplacesTheEndpointLimitWhenALimitedParameterIsSent) {
  EXPECT_EQ(met("gadgets.update"), (Names{"at_once", "each_at_once", "overall", "each"}));
  EXPECT_EQ(met("gadgets.update", {.size = 3}),
            (Names{"at_once", "each_at_once", "overall", "size_changes"}));
}

TEST_F(LimitPlanTest, DoesNotUseAReplacedLimit) {
  for (std::size_t i = 0; i < plan.slots().size(); ++i) {
    const Slot& slot = plan.slots()[i];
    const bool replaced = slot.limit->name == "each" && (slot.operation->name == "gadgets.start" ||
                                                         slot.operation->name == "gadgets.create" ||
                                                         slot.operation->name == "gadgets.tune");
    EXPECT_EQ(plan.isUsed(i), !replaced) << slot.limit->name;
  }
}

TEST_F(LimitPlanTest, FindsTheParameterThatNamesTheObject) {
  const auto& checks = plan.checks(operationOf("gadgets.create"));
  ASSERT_NE(checks.back().object, nullptr);
  EXPECT_EQ(checks.back().object->name, "parent");
  EXPECT_EQ(plan.checks(operationOf("gadgets.start")).back().object, nullptr);
}

TEST_F(LimitPlanTest, HasTheDocumentedNumbers) {
  EXPECT_EQ(number(documentedNumbers(plan, true), "overall"), 50);
  EXPECT_EQ(number(numbers, "overall"), 5);
  EXPECT_EQ(number(numbers, "each", "gadgets.list"), 3);
  EXPECT_EQ(number(numbers, "at_once"), std::nullopt);
}

TEST_F(LimitPlanTest, AppliesOverridesOnlyToTheirLimits) {
  apply(plan, {.limit = "overall", .value = 9}, false, numbers);
  EXPECT_EQ(number(numbers, "overall"), 9);
  EXPECT_EQ(number(numbers, "each", "gadgets.list"), 3);
  apply(plan, {.limit = "overall"}, false, numbers);
  EXPECT_EQ(number(numbers, "overall"), std::nullopt);
  apply(plan, {.limit = "each", .value = 8}, false, numbers);
  apply(plan, {.limit = "each", .value = 7, .operation = "gadgets.list"}, false, numbers);
  EXPECT_EQ(number(numbers, "each", "gadgets.list"), 7);
  EXPECT_EQ(number(numbers, "each", "gadgets.stop"), 8);
}

TEST_F(LimitPlanTest, AppliesOverridesOnlyToTheirMode) {
  apply(plan, {.limit = "overall", .value = 9, .livemode = true}, false, numbers);
  EXPECT_EQ(number(numbers, "overall"), 5);
  apply(plan, {.limit = "overall", .value = 9, .livemode = false}, false, numbers);
  EXPECT_EQ(number(numbers, "overall"), 9);
}

TEST_F(LimitPlanTest, RefusesInvalidOverrides) {
  EXPECT_EQ(wrongWith([&] { plan.check({.limit = "overal"}); }),
            "unknown limit 'overal'; did you mean 'overall'?");
  EXPECT_EQ(wrongWith([&] { plan.check({.limit = "overall", .value = -1}); }),
            "the limit 'overall' must be at least 0");
  EXPECT_EQ(wrongWith([&] { plan.check({.limit = "overall", .operation = "gadgets.list"}); }),
            "the limit 'overall' has no separate number for 'gadgets.list'");
  EXPECT_EQ(wrongWith([&] { plan.check({.limit = "each", .operation = "gadgets.start"}); }),
            "the limit 'each' has no separate number for 'gadgets.start'");
  EXPECT_EQ(wrongWith([&] { plan.check({.limit = "each", .value = 0, .operation = "gadgets.list"}); }),
            "nothing");
}

TEST_F(LimitPlanTest, RefusesALimitOnAMissingParameter) {
  static constexpr std::string_view starts[] = {"gadgets.start"};
  static constexpr std::string_view creations[] = {"gadgets.create"};
  constexpr Limit noParameters{.name = "a", .operations = starts, .onlyWithParam = "size"};
  constexpr Limit unknown{.name = "b", .operations = creations, .object = "owner"};
  for (const Limit* limit : {&noParameters, &unknown}) {
    const std::array<const Limit*, 1> limits{limit};
    EXPECT_THROW((LimitPlan{test::gadgets.operations, limits}), std::logic_error) << limit->name;
  }
}

}  // namespace

}  // namespace tally::detail
