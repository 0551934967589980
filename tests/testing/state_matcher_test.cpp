#include <tally/testing/fake_test.h>
#include <tally/testing/state_matcher.h>

#include <gtest/gtest-spi.h>

#include "failure.h"

namespace {

using tally::fake::StoredObject;
using tally::testing::FakeTest;
using tally::testing::IsInState;
using testing::AnyOf;
using testing::Each;
using testing::Not;

const StoredObject failedRecord{.resource = "payment_record", .id = "pr_1", .state = "failed"};

class IsInStateMatcher : public FakeTest {};

TEST_F(IsInStateMatcher, MatchesObjectsAndStates) {
  const auto id = service.insert<tally::PaymentRecord>(key, {}, "failed").id.str();
  EXPECT_THAT(service.objects().get(key, id), IsInState("failed"));
  EXPECT_THAT(service.objects().stateOf(key, id), IsInState("failed"));
  EXPECT_THAT(service.objects().list(key, {.resource = "payment_record"}).objects, Each(IsInState("failed")));
  EXPECT_THAT(service.objects().get(key, id), Not(IsInState("guaranteed")));
  EXPECT_THAT(service.objects().get(key, id), IsInState(AnyOf("canceled", "failed")));
}

TEST_F(IsInStateMatcher, DoesNotMatchObjectsWithoutAState) {
  EXPECT_THAT(service.objects().get(key, "pr_nobody"), Not(IsInState(testing::_)));
  EXPECT_THAT(service.objects().stateOf(key, "pr_nobody"), Not(IsInState(testing::_)));
  EXPECT_THAT((StoredObject{.resource = "payout", .id = "po_1"}), Not(IsInState("")));
}

TEST(IsInState, ShowsBothStatesInAFailure) {
  EXPECT_EQ(explanationOf(failedRecord, IsInState("guaranteed")), "which is in state failed");
  EXPECT_EQ(explanationOf(std::optional<StoredObject>{}, IsInState("failed")), "which does not exist");
  EXPECT_EQ(explanationOf(std::optional<std::string>{}, IsInState("failed")), "which has no state");
  EXPECT_EQ(descriptionOf<StoredObject>(IsInState("failed")), R"(is in a state that is equal to "failed")");
  EXPECT_EQ(descriptionOf<StoredObject>(Not(IsInState("failed"))),
            R"(is in a state that isn't equal to "failed")");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(std::optional<std::string>{"failed"}, IsInState("guaranteed")),
                          "Expected: is in a state that is equal to \"guaranteed\"\n"
                          "  Actual: (\"failed\"), which is in state failed");
}

}  // namespace
