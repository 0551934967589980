#include "bulk/verdict.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/response_reader.h"
#include "operations.h"
#include "sdk/support/bulk_rows.h"

namespace tally::test {
namespace {

using detail::Action;
using detail::afterFailedRead;
using detail::afterFailedResolve;
using detail::afterFailedSend;
using detail::afterResolve;
using detail::BulkRow;
using detail::CheckFacts;
using detail::Contact;
using detail::Verdict;
using detail::Verdicts;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Next = Verdict::Next;

Error errorOf(ErrorKind kind, Effect effect = Effect::none) {
  return Error{{.kind = kind, .effect = effect, .fromService = true, .message = "it"}};
}

HttpResponse ownRefusal(int status, const std::string& code) {
  return {.status = status,
          .body = R"({"error":{"type":"invalid_request_error","code":")" + code + R"(","message":"No."}})"};
}

/// What gateways and proxies respond with a status.
std::vector<HttpResponse> foreignRefusals(int status) {
  return {{.status = status},
          {.status = status, .body = "<html>nginx</html>"},
          {.status = status, .body = R"({"message":"no route","code":"resource_missing"})"},
          {.status = status, .body = R"({"error":{"type":"about:blank","code":"resource_missing"}})"}};
}

/// The error of a call that got this response.
Error errorOf(const HttpResponse& response, std::string_view operation) {
  const auto row = std::ranges::find(detail::operations, operation, &detail::AnyOperation::name);
  return detail::errorIn(response, **row, {}).value();
}
Error ofReport(const HttpResponse& response) {
  return errorOf(response, "payment_records.report_failed");
}
Error ofRead(const HttpResponse& response) {
  return errorOf(response, "payment_records.retrieve");
}
/// As resolveReport() returns it.
Error ofResolution(const HttpResponse& response) {
  Error::Details details = ofRead(response).details();
  details.effect = Effect::unknown;
  return Error{details};
}

bool isFinal(const Verdict& verdict) {
  return verdict.next == Next::end && !verdict.pending;
}

TEST(Verdict, ResolvesEveryReportThatMayHaveHadAnEffect) {
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::exception); ++kind)
    EXPECT_EQ(afterFailedSend(errorOf(static_cast<ErrorKind>(kind), Effect::unknown)).next, Next::resolve);
}

TEST(Verdict, RetriesTransientFailures) {
  for (const ErrorKind kind :
       {ErrorKind::lockTimeout, ErrorKind::rateLimited, ErrorKind::tooManyRequests, ErrorKind::connection,
        ErrorKind::server, ErrorKind::timeout, ErrorKind::queueFull}) {
    EXPECT_EQ(afterFailedSend(errorOf(kind)).next, Next::retry) << kind;
    EXPECT_EQ(afterFailedRead(errorOf(kind)).next, Next::retry) << kind;
    EXPECT_EQ(afterFailedSend(errorOf(kind)).end, ReportEnd::unsent) << kind;
    EXPECT_TRUE(afterFailedSend(errorOf(kind)).pending) << kind;
    EXPECT_EQ(afterFailedResolve(errorOf(kind, Effect::unknown)).next, Next::retry) << kind;
    EXPECT_EQ(afterFailedResolve(errorOf(kind, Effect::unknown)).end, ReportEnd::unknown) << kind;
  }
}

TEST(Verdict, RefusesAReportOnlyIfTheServiceDoes) {
  for (int status = 400; status < 500; ++status)
    for (const char* code : {"resource_missing", "path_unknown", "parameter_invalid", "new_code", ""}) {
      const HttpResponse response = ownRefusal(status, code);
      const bool refuses = status == 400 || (status == 404 && std::string{code} == "resource_missing");
      for (const Verdict& verdict :
           {afterFailedSend(ofReport(response)), afterFailedRead(ofRead(response))}) {
        EXPECT_EQ(isFinal(verdict), refuses) << status << ' ' << code;
        EXPECT_EQ(verdict.end == ReportEnd::refused, refuses) << status << ' ' << code;
        EXPECT_FALSE(refuses && verdict.endsJob) << status << ' ' << code;
      }
    }
}

TEST(Verdict, IsNeverFinalAfterAnErrorFromAGateway) {
  for (int status = 100; status < 600; ++status)
    for (const HttpResponse& response : foreignRefusals(status)) {
      if (status >= 200 && status < 300) continue;
      EXPECT_FALSE(isFinal(afterFailedSend(ofReport(response)))) << status << ' ' << response.body;
      EXPECT_FALSE(isFinal(afterFailedRead(ofRead(response)))) << status << ' ' << response.body;
      EXPECT_FALSE(isFinal(afterFailedResolve(ofResolution(response)))) << status << ' ' << response.body;
    }
}

TEST(Verdict, ResolvesAReportThatAGatewayMayHaveForwarded) {
  for (const int status : {400, 403, 404, 405, 409, 413, 421, 425, 499})
    for (const HttpResponse& response : foreignRefusals(status)) {
      const Verdict verdict = afterFailedSend(ofReport(response));
      EXPECT_EQ(verdict.next, Next::resolve) << status << ' ' << response.body;
      EXPECT_EQ(verdict.end, ReportEnd::unknown) << status << ' ' << response.body;
      EXPECT_EQ(afterFailedRead(ofRead(response)).end, ReportEnd::unsent) << status << ' ' << response.body;
    }
}

TEST(Verdict, EndsTheJobAfterErrorsThatAffectAllReports) {
  for (const ErrorKind kind : {ErrorKind::authentication, ErrorKind::permission, ErrorKind::invalidParameter,
                               ErrorKind::exception}) {
    const Verdict verdict = afterFailedSend(errorOf(kind));
    EXPECT_TRUE(verdict.endsJob && verdict.pending) << kind;
    EXPECT_EQ(verdict.end, ReportEnd::unsent) << kind;
    EXPECT_TRUE(afterFailedSend(errorOf(kind, Effect::unknown)).endsJob) << kind;
    EXPECT_TRUE(afterFailedResolve(errorOf(kind, Effect::unknown)).endsJob) << kind;
  }
  const Error untrusted{{.kind = ErrorKind::connection, .failure = TransportFailure::Kind::tls}};
  EXPECT_TRUE(afterFailedSend(untrusted).endsJob && afterFailedSend(untrusted).pending);
}

TEST(Verdict, EndsTheJobIfAGatewayDemandsCredentials) {
  for (const int status : {401, 407})
    for (const HttpResponse& response : foreignRefusals(status)) {
      for (const Verdict& verdict : {afterFailedSend(ofReport(response)), afterFailedRead(ofRead(response)),
                                     afterFailedResolve(ofResolution(response))}) {
        EXPECT_TRUE(verdict.endsJob && verdict.pending) << status << ' ' << response.body;
        EXPECT_THAT(verdict.reason, HasSubstr("not from the service"));
      }
    }
}

TEST(Verdict, RetriesAReportThatAGatewayForbids) {
  for (const HttpResponse& response : foreignRefusals(403)) {
    EXPECT_FALSE(afterFailedSend(ofReport(response)).endsJob) << response.body;
    for (const Verdict& verdict :
         {afterFailedRead(ofRead(response)), afterFailedResolve(ofResolution(response))}) {
      EXPECT_EQ(verdict.next, Next::retry) << response.body;
      EXPECT_TRUE(verdict.pending && !verdict.endsJob) << response.body;
      EXPECT_THAT(verdict.reason, HasSubstr("not from the service"));
    }
  }
}

TEST(Verdict, EndsTheJobIfTheServiceRejectsThePathOrTheMethod) {
  for (const HttpResponse& response :
       {ownRefusal(404, "path_unknown"), ownRefusal(405, "method_not_allowed"), ownRefusal(405, "")})
    for (const Verdict& verdict : {afterFailedSend(ofReport(response)), afterFailedRead(ofRead(response)),
                                   afterFailedResolve(ofResolution(response))}) {
      EXPECT_TRUE(verdict.endsJob && verdict.pending) << response.body;
      EXPECT_THAT(verdict.reason, HasSubstr("the base URL is probably wrong"));
    }
}

TEST(Verdict, EndsTheJobIfAnExtraParameterIsRefused) {
  const Error error = ofReport(
      {.status = 400,
       .body = R"({"error":{"type":"invalid_request_error","code":"parameter_unknown","param":"colour"}})"});
  const std::vector<Param> extra{{"shape", "round"}, {"colour", "red"}};
  EXPECT_TRUE(isFinal(afterFailedSend(error)));
  const Verdict verdict = afterFailedSend(error, extra);
  EXPECT_TRUE(verdict.endsJob && verdict.pending);
  EXPECT_EQ(verdict.end, ReportEnd::unsent);
  const CheckFacts resent{
      .status = ReportStatus::notApplied, .noResendReason = NoResendReason::failed, .error = error};
  EXPECT_TRUE(afterResolve(resent, extra).endsJob && afterResolve(resent, extra).pending);
  EXPECT_EQ(afterResolve(resent, extra).end, ReportEnd::unknown);
}

TEST(Verdict, LeavesReportsPendingWhenTheirCallsAreCanceled) {
  EXPECT_EQ(afterFailedSend(errorOf(ErrorKind::canceled)).end, ReportEnd::unsent);
  EXPECT_TRUE(afterFailedSend(errorOf(ErrorKind::canceled)).pending);
  EXPECT_EQ(afterFailedResolve(errorOf(ErrorKind::canceled, Effect::unknown)).end, ReportEnd::unknown);
  EXPECT_TRUE(afterFailedResolve(errorOf(ErrorKind::canceled, Effect::unknown)).pending);
}

TEST(Verdict, LeavesReportsWithOversizedResponsesToALaterRun) {
  const Verdict before = afterFailedRead(errorOf(ErrorKind::responseTooLarge));
  EXPECT_EQ(before.end, ReportEnd::unsent);
  EXPECT_TRUE(before.pending && !before.endsJob);
  const Verdict after = afterFailedResolve(errorOf(ErrorKind::responseTooLarge, Effect::unknown));
  EXPECT_EQ(after.end, ReportEnd::unknown);
  EXPECT_TRUE(after.pending && !after.endsJob);
}

TEST(Verdict, EndsALostReportOnAMissingObjectAsUnknown) {
  const Verdict verdict = afterFailedResolve(ofResolution(ownRefusal(404, "resource_missing")));
  EXPECT_TRUE(isFinal(verdict));
  EXPECT_EQ(verdict.end, ReportEnd::unknown);
  EXPECT_THAT(verdict.reason, HasSubstr("may have been sent while the object existed"));
}

TEST(Verdict, EndsOrRetriesAResolvedReportAccordingToItsStatus) {
  using enum NoResendReason;
  const auto after = [](ReportStatus status, NoResendReason reason, std::optional<Error> error = {}) {
    return afterResolve(CheckFacts{.status = status, .noResendReason = reason, .error = std::move(error)});
  };
  EXPECT_EQ(after(ReportStatus::applied, applied).end, ReportEnd::applied);
  EXPECT_EQ(after(ReportStatus::notApplied, refused).end, ReportEnd::refused);
  EXPECT_EQ(after(ReportStatus::superseded, refused).end, ReportEnd::unknown);
  EXPECT_EQ(after(ReportStatus::indeterminate, otherAttempt).end, ReportEnd::unknown);
  EXPECT_EQ(after(ReportStatus::indeterminate, sentToOtherAttempt).end, ReportEnd::unknown);
  EXPECT_EQ(after(ReportStatus::superseded, otherReport).end, ReportEnd::unknown);
  EXPECT_FALSE(after(ReportStatus::superseded, otherReport).pending);
  const auto failedBy = [&](const Error& error) { return after(ReportStatus::notApplied, failed, error); };
  EXPECT_EQ(failedBy(errorOf(ErrorKind::connection, Effect::unknown)).next, Next::retry);
  EXPECT_EQ(failedBy(errorOf(ErrorKind::lockTimeout)).next, Next::retry);
  EXPECT_EQ(failedBy(errorOf(ErrorKind::lockTimeout)).end, ReportEnd::unknown);
  EXPECT_EQ(failedBy(ofReport(ownRefusal(400, "parameter_invalid"))).end, ReportEnd::refused);
  EXPECT_EQ(failedBy(ofReport({.status = 404})).next, Next::retry);
  EXPECT_EQ(failedBy(ofReport({.status = 404})).end, ReportEnd::unknown);
  EXPECT_EQ(failedBy(ofReport({.status = 403})).next, Next::retry);
  EXPECT_TRUE(failedBy(errorOf(ErrorKind::permission)).endsJob);
}

/// The verdict on a read that got a page of a gateway, after this number of failures.
Verdict reviewed(Contact& contact, int failureCount, int status = 404) {
  const Error error = ofRead({.status = status});
  contact.callEnded(error);
  Verdict verdict = afterFailedRead(error);
  contact.review(verdict, error, failureCount);
  return verdict;
}

TEST(Contact, EndsTheJobIfTheServiceNeverResponds) {
  Contact contact;
  for (const int count : {0, 1, 2})
    EXPECT_EQ(reviewed(contact, count).next, Next::retry) << count;
  for (const int count : {3, 0}) {
    const Verdict verdict = reviewed(contact, count);
    EXPECT_EQ(verdict.next, Next::end) << count;
    EXPECT_TRUE(verdict.endsJob && verdict.pending) << count;
    EXPECT_THAT(verdict.reason, HasSubstr("the base URL is probably wrong")) << count;
  }
}

TEST(Contact, EndsTheJobIfAGatewayForbidsEveryRequest) {
  Contact contact;
  EXPECT_EQ(reviewed(contact, 2, 403).next, Next::retry);
  const Verdict verdict = reviewed(contact, 3, 403);
  EXPECT_TRUE(verdict.endsJob && verdict.pending);
  EXPECT_THAT(verdict.reason, AllOf(HasSubstr("no response has come from the service so far"),
                                    Not(HasSubstr("the base URL is probably wrong"))));
}

TEST(Contact, AllowsRetriesOnceTheServiceHasResponded) {
  Contact successful;
  successful.callEnded(std::nullopt);
  EXPECT_EQ(reviewed(successful, 100).next, Next::retry);
  EXPECT_EQ(reviewed(successful, 100, 403).next, Next::retry);
  Contact refused;
  refused.callEnded(ofReport(ownRefusal(400, "parameter_invalid")));
  EXPECT_EQ(reviewed(refused, 100).next, Next::retry);
}

TEST(Contact, AllowsRetriesAfterServerAndConnectionErrors) {
  Contact contact;
  for (const Error& error : {ofRead({.status = 503}), errorOf(ErrorKind::connection)}) {
    contact.callEnded(error);
    Verdict verdict = afterFailedRead(error);
    contact.review(verdict, error, 100);
    EXPECT_EQ(verdict.next, Next::retry);
  }
}

BulkRow rowAfter(Action action, const std::string& attempt, std::optional<Error> error = {}) {
  BulkRow row = makeRow(0);
  row.action = action;
  row.error = std::move(error);
  if (!row.error) row.object = makeObject(row, attempt);
  return row;
}

TEST(Verdicts, SendAReportAfterItsObjectIsRead) {
  EXPECT_EQ(Verdicts{{}}.afterCall(rowAfter(Action::read, "par_1"), false).next, Next::send);
}

TEST(Verdicts, RefuseAReportIfTheObjectShowsAnotherAttempt) {
  const Verdict verdict = Verdicts{{}}.afterCall(rowAfter(Action::read, "par_2"), false);
  EXPECT_TRUE(isFinal(verdict));
  EXPECT_EQ(verdict.end, ReportEnd::refused);
  EXPECT_THAT(verdict.reason, HasSubstr("par_2"));
}

TEST(Verdicts, EndASentReportAsApplied) {
  const Verdict verdict = Verdicts{{}}.afterCall(rowAfter(Action::send, "par_1"), false);
  EXPECT_TRUE(isFinal(verdict));
  EXPECT_EQ(verdict.end, ReportEnd::applied);
}

TEST(Verdicts, EndAReportAsUnknownIfItWasAppliedToAnotherAttempt) {
  BulkRow named = rowAfter(Action::send, "par_2");
  BulkRow read = rowAfter(Action::send, "par_2");
  read.report.attempt.clear();
  read.before = makeObject(read, "par_1");
  for (const BulkRow* row : {&named, &read}) {
    const Verdict verdict = Verdicts{{}}.afterCall(*row, false);
    EXPECT_TRUE(isFinal(verdict));
    EXPECT_EQ(verdict.end, ReportEnd::unknown);
    EXPECT_EQ(verdict.reason, "applied to another attempt: par_2");
  }
}

TEST(Verdicts, ResolveOnlyReportsWhoseEffectAReadCanShow) {
  BulkRow row = rowAfter(Action::send, "", errorOf(ErrorKind::timeout, Effect::unknown));
  EXPECT_EQ(Verdicts{{}}.afterCall(row, false).next, Next::resolve);
  detail::Resource stateless = row.resource();
  stateless.machine = nullptr;
  detail::AnyOperation invisible = *row.prepared.operation;
  invisible.resource = &stateless;
  row.prepared.operation = &invisible;
  const Verdict verdict = Verdicts{{}}.afterCall(row, false);
  EXPECT_TRUE(isFinal(verdict));
  EXPECT_EQ(verdict.end, ReportEnd::unknown);
}

TEST(Verdicts, EndTheJobAfterAnAuthenticationErrorWithAnUnknownEffect) {
  BulkRow row = rowAfter(Action::send, "", errorOf(ErrorKind::authentication, Effect::unknown));
  EXPECT_TRUE(Verdicts{{}}.afterCall(row, false).endsJob);
}

TEST(Verdicts, LeaveACheckedReportToALaterRunIfTheJobIsStopping) {
  BulkRow row = rowAfter(Action::resolve, "par_1");
  row.facts = {.status = ReportStatus::notApplied, .noResendReason = NoResendReason::checkOnly};
  EXPECT_FALSE(Verdicts{{}}.afterCall(row, false).pending);
  EXPECT_TRUE(Verdicts{{}}.afterCall(row, true).pending);
  EXPECT_EQ(Verdicts{{}}.afterCall(row, true).end, ReportEnd::unknown);
}

TEST(Verdicts, RetryAReportIfItsResendFailsTemporarily) {
  BulkRow row = rowAfter(Action::resolve, "par_1");
  row.facts = {.status = ReportStatus::notApplied,
               .noResendReason = NoResendReason::failed,
               .error = errorOf(ErrorKind::lockTimeout)};
  EXPECT_EQ(Verdicts{{}}.afterCall(row, false).next, Next::retry);
}

TEST(Verdicts, DoNotEndTheJobIfAResendForOneConnectedAccountIsForbidden) {
  BulkRow row = rowAfter(Action::resolve, "par_1");
  row.facts = {.status = ReportStatus::notApplied,
               .noResendReason = NoResendReason::failed,
               .error = errorOf(ErrorKind::permission)};
  EXPECT_TRUE(Verdicts{{}}.afterCall(row, false).endsJob);
  const std::string account = "acct_1";
  row.connectedAccount = &account;
  EXPECT_FALSE(Verdicts{{}}.afterCall(row, false).endsJob);
}

TEST(Verdicts, EndTheJobIfAnExtraParameterIsRefusedOnSendingOrResending) {
  const Error error = ofReport(
      {.status = 400,
       .body = R"({"error":{"type":"invalid_request_error","code":"parameter_unknown","param":"colour"}})"});
  const std::vector<Param> extra{{"colour", "red"}};
  EXPECT_TRUE(Verdicts{extra}.afterCall(rowAfter(Action::send, "", error), false).endsJob);
  BulkRow resent = rowAfter(Action::resolve, "par_1");
  resent.facts = {
      .status = ReportStatus::notApplied, .noResendReason = NoResendReason::failed, .error = error};
  EXPECT_TRUE(Verdicts{extra}.afterCall(resent, false).endsJob);
}

TEST(Verdicts, EndTheJobIfTheServiceNeverResponds) {
  Verdicts verdicts{{}};
  BulkRow row = rowAfter(Action::read, "", ofRead({.status = 404}));
  EXPECT_FALSE(verdicts.afterCall(row, false).endsJob);
  row.failures = 3;
  EXPECT_TRUE(verdicts.afterCall(row, false).endsJob);
  Verdicts afterSuccess{{}};
  (void)afterSuccess.afterCall(rowAfter(Action::read, "par_1"), false);
  EXPECT_FALSE(afterSuccess.afterCall(row, false).endsJob);
}

}  // namespace
}  // namespace tally::test
