#include "bulk/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::test {
namespace {

using detail::afterFailedRead;
using detail::afterFailedResolve;
using detail::afterFailedSend;
using detail::afterResolve;
using detail::CheckFacts;
using detail::Verdict;
using Next = Verdict::Next;

Error errorOf(ErrorKind kind, Effect effect = Effect::none) {
  return Error{{.kind = kind, .effect = effect, .message = "it"}};
}

TEST(Verdict, ResolvesEveryReportThatMayHaveHadAnEffect) {
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::exception); ++kind)
    EXPECT_EQ(afterFailedSend(errorOf(static_cast<ErrorKind>(kind), Effect::unknown)).next, Next::resolve);
}

TEST(Verdict, RetriesWhatPasses) {
  for (const ErrorKind kind :
       {ErrorKind::lockTimeout, ErrorKind::rateLimited, ErrorKind::tooManyRequests, ErrorKind::connection,
        ErrorKind::server, ErrorKind::timeout, ErrorKind::queueFull}) {
    EXPECT_EQ(afterFailedSend(errorOf(kind)).next, Next::retry) << kind;
    EXPECT_EQ(afterFailedRead(errorOf(kind)).next, Next::retry) << kind;
    EXPECT_EQ(afterFailedSend(errorOf(kind)).end, ReportEnd::unsent) << kind;
    EXPECT_TRUE(afterFailedSend(errorOf(kind)).open) << kind;
    EXPECT_EQ(afterFailedResolve(errorOf(kind, Effect::unknown)).next, Next::retry) << kind;
    EXPECT_EQ(afterFailedResolve(errorOf(kind, Effect::unknown)).end, ReportEnd::unknown) << kind;
  }
}

TEST(Verdict, RefusesWhatConcernsOneReport) {
  for (const ErrorKind kind : {ErrorKind::invalidRequest, ErrorKind::notFound}) {
    const Verdict verdict = afterFailedSend(errorOf(kind));
    EXPECT_EQ(verdict.next, Next::end) << kind;
    EXPECT_EQ(verdict.end, ReportEnd::refused) << kind;
    EXPECT_FALSE(verdict.open || verdict.endsJob) << kind;
  }
}

TEST(Verdict, EndsTheJobForWhatConcernsAllReports) {
  for (const ErrorKind kind : {ErrorKind::authentication, ErrorKind::permission, ErrorKind::invalidParameter,
                               ErrorKind::exception}) {
    const Verdict verdict = afterFailedSend(errorOf(kind));
    EXPECT_TRUE(verdict.endsJob && verdict.open) << kind;
    EXPECT_EQ(verdict.end, ReportEnd::unsent) << kind;
    EXPECT_TRUE(afterFailedResolve(errorOf(kind, Effect::unknown)).endsJob) << kind;
  }
}

TEST(Verdict, LeavesWhatWasStoppedToALaterRun) {
  EXPECT_EQ(afterFailedSend(errorOf(ErrorKind::canceled)).end, ReportEnd::unsent);
  EXPECT_TRUE(afterFailedSend(errorOf(ErrorKind::canceled)).open);
  EXPECT_EQ(afterFailedResolve(errorOf(ErrorKind::canceled, Effect::unknown)).end, ReportEnd::unknown);
  EXPECT_TRUE(afterFailedResolve(errorOf(ErrorKind::canceled, Effect::unknown)).open);
}

TEST(Verdict, FollowsWhatTheObjectShows) {
  using enum StopReason;
  const auto after = [](ReportStatus status, StopReason reason, std::optional<Error> error = {}) {
    return afterResolve(CheckFacts{.status = status, .stopReason = reason, .error = std::move(error)});
  };
  EXPECT_EQ(after(ReportStatus::applied, applied).end, ReportEnd::done);
  EXPECT_EQ(after(ReportStatus::notApplied, refused).end, ReportEnd::refused);
  EXPECT_EQ(after(ReportStatus::superseded, refused).end, ReportEnd::unknown);
  EXPECT_EQ(after(ReportStatus::indeterminate, otherAttempt).end, ReportEnd::unknown);
  EXPECT_EQ(after(ReportStatus::indeterminate, sentToOtherAttempt).end, ReportEnd::unknown);
  EXPECT_EQ(after(ReportStatus::superseded, otherReport).end, ReportEnd::unknown);
  EXPECT_FALSE(after(ReportStatus::superseded, otherReport).open);
  const auto failedBy = [&](const Error& error) { return after(ReportStatus::notApplied, failed, error); };
  EXPECT_EQ(failedBy(errorOf(ErrorKind::connection, Effect::unknown)).next, Next::retry);
  EXPECT_EQ(failedBy(errorOf(ErrorKind::lockTimeout)).next, Next::retry);
  EXPECT_EQ(failedBy(errorOf(ErrorKind::lockTimeout)).end, ReportEnd::unknown);
  EXPECT_EQ(failedBy(errorOf(ErrorKind::invalidRequest)).end, ReportEnd::refused);
}

}  // namespace
}  // namespace tally::test
