#include "outbox/chaos/history.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::test {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using Repetition = History::Repetition;

/// Requests about one object, in the order in which the service processed them.
class RequestsOnOneObject {
 public:
  RequestsOnOneObject& read(const std::string& sender) {
    add({.method = Method::get,
         .url = "http://service/v1/payment_records/pr_1",
         .headers = {{"Host", sender}}});
    return *this;
  }
  RequestsOnOneObject& report(const std::string& sender, std::uint64_t sequence) {
    add({.method = Method::post,
         .url = "http://service/v1/payment_records/pr_1/report_payment_attempt_failed",
         .headers = {{"Host", sender}, {"Content-Type", "application/x-www-form-urlencoded"}},
         .body = "metadata[sequence]=" + std::to_string(sequence)});
    return *this;
  }

  [[nodiscard]] History history() const { return History{log_}; }
  [[nodiscard]] std::vector<Repetition> repetitions() const { return history().repetitions(); }

 private:
  void add(HttpRequest request) {
    const bool isReport = request.method == Method::post;
    log_.push_back({.number = log_.size() + 1,
                    .object = "pr_1",
                    .request = std::move(request),
                    .processed = isReport,
                    .response = HttpResponse{.status = 200}});
  }

  std::vector<fake::LoggedRequest> log_{};
};

TEST(History, CountsTheWorkersWhoseReportsWereApplied) {
  EXPECT_EQ(RequestsOnOneObject{}.report("a", 1).report("b", 2).report("a", 3).read("c").history().senders(),
            2U);
}

TEST(Repetitions, IncludeNoReportThatIsAppliedOnce) {
  EXPECT_THAT(RequestsOnOneObject{}.report("a", 1).report("b", 2).repetitions(), IsEmpty());
}

TEST(Repetitions, AreNotDeliberateWhenTheSenderReadsTheObjectOnlyBeforeBothCopies) {
  EXPECT_THAT(RequestsOnOneObject{}.read("b").report("a", 1).report("b", 1).repetitions(),
              ElementsAre(Repetition{.sequence = 1, .object = "pr_1"}));
}

TEST(Repetitions, OverwriteALaterReportAppliedBetweenTheTwoCopies) {
  EXPECT_THAT(RequestsOnOneObject{}.read("b").report("b", 1).report("b", 2).report("a", 1).repetitions(),
              ElementsAre(Repetition{.sequence = 1, .object = "pr_1", .isOverLater = true}));
}

TEST(Repetitions, AreDeliberateWhenTheSenderReadsTheObjectBetweenTheCopies) {
  EXPECT_THAT(RequestsOnOneObject{}.report("a", 1).read("b").report("b", 1).repetitions(),
              ElementsAre(Field(&Repetition::isDeliberate, true)));
}

TEST(Repetitions, AreNotDeliberateWhenOnlyAnotherWorkerReadsTheObjectBetweenTheCopies) {
  EXPECT_THAT(RequestsOnOneObject{}.report("b", 1).read("b").report("a", 1).repetitions(),
              ElementsAre(Field(&Repetition::isDeliberate, false)));
}

TEST(Repetitions, AreDeliberateWhenOneWorkerSendsBothCopies) {
  EXPECT_THAT(RequestsOnOneObject{}.report("a", 1).report("a", 1).repetitions(),
              ElementsAre(Field(&Repetition::isDeliberate, true)));
}

TEST(Repetitions, DoNotOverwriteAReportAppliedAfterTheSecondCopy) {
  EXPECT_THAT(RequestsOnOneObject{}.report("b", 1).report("a", 1).report("b", 2).repetitions(),
              ElementsAre(Field(&Repetition::isOverLater, false)));
}

}  // namespace
}  // namespace tally::test
