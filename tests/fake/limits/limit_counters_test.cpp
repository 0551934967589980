#include "limits/limit_counters.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fake/support/gadget_limits.h"
#include "fake/support/limit_usage.h"

namespace tally::fake::detail {

namespace {

using std::chrono::seconds;
using test::GadgetParams;
using test::operationOf;

class LimitCountersTest : public testing::Test {
 protected:
  /// The name of the limit that refuses the request of an account for itself, or "admitted".
  std::string ask(std::string_view operation, std::string_view id = {}, const GadgetParams& params = {}) {
    const Applicant maker{.operation = operationOf(operation), .id = id, .params = refTo(params), .now = now};
    Applicant actedFor = maker;
    actedFor.countsForConnectedAccount = true;
    for (const Applicant& applicant : {maker, actedFor})
      if (const auto slot = counters.refusal(plan, numbers, applicant))
        return std::string{plan.slots()[*slot].limit->name};
    for (const Applicant& applicant : {maker, actedFor}) {
      counters.admit(plan, applicant);
      counters.finish(plan, applicant, changes, now + duration);
    }
    return "admitted";
  }
  void set(std::string_view limit, std::optional<std::int64_t> number) {
    apply(plan, {.limit = std::string{limit}, .value = number}, false, numbers);
  }
  LimitUsage usage(std::string_view limit, std::string_view operation = {}, std::string_view object = {}) {
    return test::usageOf(counters.usage(plan, numbers, now), limit, operation, object);
  }

  LimitPlan plan{test::gadgets.operations, test::madeLimits};
  LimitNumbers numbers = documentedNumbers(plan, false);
  LimitCounters counters{};
  Instant now = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
  seconds duration{0};
  bool changes = true;
};

TEST_F(LimitCountersTest, CountEachOperationAndTheTotal) {
  for (int n = 0; n < 3; ++n)
    EXPECT_EQ(ask("gadgets.list"), "admitted");
  EXPECT_EQ(ask("gadgets.list"), "each");
  EXPECT_EQ(ask("gadgets.retrieve", "gad_1"), "admitted");
  EXPECT_EQ(ask("gadgets.retrieve", "gad_2"), "admitted");
  EXPECT_EQ(ask("gadgets.retrieve", "gad_3"), "overall") << "refused requests do not count";
  now += seconds{1};
  EXPECT_EQ(ask("gadgets.list"), "admitted");
}

TEST_F(LimitCountersTest, ListObjectsInTheOrderOfTheirIdentifiers) {
  for (const std::string id :
       {"gad_7", "gad_3", "gad_9", "gad_1", "gad_8", "gad_2", "gad_6", "gad_5", "gad_4"}) {
    EXPECT_EQ(ask("gadgets.start", id), "admitted");
    now += seconds{1};
  }
  std::vector<std::string> objects;
  for (const LimitUsage& usage : counters.usage(plan, numbers, now))
    if (!usage.object.empty()) objects.push_back(usage.object);
  EXPECT_EQ(objects.size(), 9U);
  EXPECT_TRUE(std::ranges::is_sorted(objects)) << testing::PrintToString(objects);
}

TEST_F(LimitCountersTest, CountTheRequestsOnEachObjectSeparately) {
  for (int n = 0; n < 2; ++n)
    EXPECT_EQ(ask("gadgets.start", "gad_1"), "admitted");
  EXPECT_EQ(ask("gadgets.start", "gad_1"), "starts_of_one");
  EXPECT_EQ(ask("gadgets.start", "gad_2"), "admitted");
  EXPECT_EQ(usage("starts_of_one", "", "gad_1").used, 2);
  EXPECT_EQ(usage("starts_of_one", "", "gad_2").remaining, 1);
}

TEST_F(LimitCountersTest, CountRequestsForTheObjectNamedByAParameter) {
  for (int n = 0; n < 2; ++n)
    EXPECT_EQ(ask("gadgets.create", {}, {.parent = Id<test::Gadget>{"gad_1"}}), "admitted");
  EXPECT_EQ(ask("gadgets.create", {}, {.parent = Id<test::Gadget>{"gad_1"}}), "children");
  EXPECT_EQ(ask("gadgets.create", {}, {.parent = Id<test::Gadget>{"gad_2"}}), "admitted");
  for (int n = 0; n < 2; ++n)
    EXPECT_EQ(ask("gadgets.create"), "admitted") << "it names no object";
  EXPECT_EQ(counters.objects(), 2U);
}

TEST_F(LimitCountersTest, DoNotCountRequestsOnAMissingObject) {
  set("starts_of_one", 0);
  EXPECT_EQ(ask("gadgets.start", "gad_1"), "starts_of_one");
  for (int n = 0; n < 3; ++n)
    EXPECT_EQ(ask("gadgets.start", {}), "admitted");
  EXPECT_EQ(counters.objects(), 0U);
}

TEST_F(LimitCountersTest, CountOnlyRequestsWithTheLimitedParameter) {
  set("overall", std::nullopt);
  for (int n = 0; n < 2; ++n)
    EXPECT_EQ(ask("gadgets.update", "gad_1", {.size = 1}), "admitted");
  EXPECT_EQ(ask("gadgets.update", "gad_1", {.size = 1}), "size_changes");
  for (int n = 0; n < 3; ++n)
    EXPECT_EQ(ask("gadgets.update", "gad_1"), "admitted") << "the limit per operation applies";
  EXPECT_EQ(ask("gadgets.update", "gad_1"), "each");
}

TEST_F(LimitCountersTest, DoNotCountRequestsThatChangeNothingAsChanges) {
  changes = false;
  for (int n = 0; n < 5; ++n)
    EXPECT_EQ(ask("gadgets.update", "gad_1", {.size = 1}), "admitted");
  EXPECT_EQ(ask("gadgets.update", "gad_1", {.size = 1}), "overall") << "requests still count";
  EXPECT_EQ(usage("size_changes", "", "gad_1").used, 0);
}

TEST_F(LimitCountersTest, CountRequestsInProgressUntilTheyEnd) {
  duration = seconds{5};
  EXPECT_EQ(ask("gadgets.stop", "gad_1"), "admitted");
  EXPECT_EQ(ask("gadgets.stop", "gad_2"), "admitted");
  EXPECT_EQ(ask("gadgets.stop", "gad_3"), "stops_at_once");
  now += seconds{5};
  EXPECT_EQ(ask("gadgets.stop", "gad_3"), "admitted");
}

TEST_F(LimitCountersTest, HoldSlotsWithOrWithoutAnOperation) {
  set("at_once", 3);
  counters.hold(plan, nullptr, 1, now);
  EXPECT_EQ(usage("at_once").used, 1);
  EXPECT_EQ(usage("stops_at_once").used, 0);
  counters.hold(plan, &operationOf("gadgets.stop"), 2, now);
  EXPECT_EQ(usage("at_once").used, 3);
  EXPECT_EQ(usage("stops_at_once").used, 2);
  EXPECT_EQ(usage("each_at_once", "gadgets.stop").used, 2);
  EXPECT_EQ(ask("gadgets.list"), "at_once");
  counters.dropHeld();
  EXPECT_EQ(ask("gadgets.stop", "gad_1"), "admitted");
  EXPECT_EQ(usage("at_once").used, 0);
}

TEST_F(LimitCountersTest, GiveBackOnlyTheChangesOfWaitingRequestsInACopy) {
  const GadgetParams params{.size = 1};
  const Applicant waiting{.operation = operationOf("gadgets.update"),
                          .id = "gad_1",
                          .params = refTo(params),
                          .now = now,
                          .countsForConnectedAccount = true};
  EXPECT_EQ(ask("gadgets.update", "gad_1", params), "admitted");
  counters.admit(plan, waiting);
  counters.beginWait(plan, waiting);
  const LimitCounters original = counters;
  counters.dropHeld();
  EXPECT_EQ(usage("size_changes", "", "gad_1").used, 1);
  counters = original;
  EXPECT_EQ(usage("size_changes", "", "gad_1").used, 2);
  counters.endWait(plan, waiting);
  counters.finish(plan, waiting, true, now);
  counters.dropHeld();
  EXPECT_EQ(usage("size_changes", "", "gad_1").used, 2) << "it has made the change";
}

TEST_F(LimitCountersTest, ListLimitsThatAreEnabledOrInUse) {
  EXPECT_EQ(usage("at_once").limit, "");
  EXPECT_EQ(usage("overall").limit, "overall");
  EXPECT_EQ(usage("starts_of_one", "", "gad_1").limit, "");
  ask("gadgets.list");
  set("overall", std::nullopt);
  EXPECT_EQ(usage("overall").used, 1);
  EXPECT_EQ(usage("overall").remaining, std::nullopt);
  EXPECT_EQ(usage("overall").availableAt, std::nullopt);
}

TEST_F(LimitCountersTest, ForgetIdleObjects) {
  set("overall", std::nullopt);
  for (int n = 0; n < 1'000; ++n) {
    now += seconds{1};
    EXPECT_EQ(ask("gadgets.start", "gad_" + std::to_string(n)), "admitted");
    if (n % 30 == 0) ask("gadgets.start", "gad_kept");
    ASSERT_LE(counters.objects(), 128U);
    if (n < 30) continue;
    ASSERT_EQ(usage("starts_of_one", "", "gad_kept").used, 2) << "it changed";
  }
}

}  // namespace

}  // namespace tally::fake::detail
