// reportAll() against the fake: every report is applied once, or said not to be.

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/sent_request.h>
#include <tally/fake/service.h>
#include <tally/pacer.h>
#include <tally/report_all.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/bulk_reports.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using fake::Fault;
using std::chrono::sys_seconds;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Passes requests on, and may replace the response, as a gateway can after it has forwarded the request.
class Gateway final : public Transport {
 public:
  explicit Gateway(std::shared_ptr<Transport> service) : service_(std::move(service)) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    TransportResult result = service_->send(request, limits);
    if (const auto* response = std::get_if<HttpResponse>(&result); response != nullptr && instead)
      if (auto other = instead(request, *response)) return *std::move(other);
    return result;
  }
  [[nodiscard]] bool inProcess() const noexcept override { return service_->inProcess(); }

  std::function<std::optional<TransportResult>(const HttpRequest&, const HttpResponse&)> instead{};

 private:
  std::shared_ptr<Transport> service_;
};

HttpResponse html(int status) {
  return {.status = status,
          .headers = {{"Content-Type", "text/html"}},
          .body = "<html><body>" + std::to_string(status) + " nginx</body></html>"};
}

TEST_F(ReportAll, SendsEachReportOnceAndDeliversItsResult) {
  makeReports(300);
  onResult = [&](const ReportResult& result) {
    EXPECT_EQ(result.report.reference, std::to_string(result.row));
    const auto* record = result.objectAs<PaymentRecord>();
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(record->id.str(), result.report.id);
    EXPECT_EQ(record->metadata.at("row"), result.report.reference);
    EXPECT_EQ(record->lastResponse.status(), 200);
    EXPECT_EQ(result.objectAs<Payout>(), nullptr);
  };
  const ReportSummary summary = run();
  EXPECT_TRUE(summary.isComplete);
  EXPECT_EQ(summary.problem, "");
  EXPECT_EQ(summary.progress.applied, 300U);
  EXPECT_EQ(summary.progress.waiting, 0U);
  EXPECT_EQ(reads(), 0);
  expectAllDoneOnce();
  for (const Report& report : reports)
    EXPECT_EQ(stateOf(report.id), report.outcome);
}

/// Such a call would wait without end: the job, which has its turns and units, runs in the same thread.
TEST_F(ReportAll, EndsCallsOfTheCallbackThatWouldWaitForTheJob) {
  for (const bool isPaced : {false, true}) {
    renew({.limits = isPaced, .requestLog = 100'000});
    ClientOptions made = service->clientOptions(key);
    if (isPaced) made.pacer = std::make_shared<Pacer>();
    client = Client{made};
    for (int i = 0; i < 30; ++i)
      makeReport(makeRecord());
    int applied = 0;
    int refused = 0;
    onResult = [&](const ReportResult& /*result*/) {
      for (const Report& report : reports) {
        const auto other = client.paymentRecords().reportCanceled(report.id, {.canceledAt = sys_seconds{1s}});
        if (other.has_error()) EXPECT_EQ(other.error(), ErrorKind::queueFull) << other.error();
        ++(other.has_error() ? refused : applied);
      }
    };
    EXPECT_TRUE(run().isComplete);
    EXPECT_GT(applied, 0);
    EXPECT_GT(refused, 0);
    expectAllDoneOnce();
  }
}

TEST_F(ReportAll, SendsReportsOnOneObjectInOrder) {
  const auto a = makeRecord();
  const auto b = makeRecord();
  for (int i = 0; i < 40; ++i) {
    makeReport(a, i % 2 == 0 ? "failed" : "canceled");
    makeReport(b, i % 2 == 0 ? "canceled" : "failed");
  }
  service->faults().inject(
      {.operation = "payment_records.report_failed", .times = 7, .error = "lock_timeout"});
  EXPECT_TRUE(run().isComplete);
  expectAllDoneOnce();
  std::map<std::string, int> last;
  for (const auto& request : service->requests().list()) {
    if (!request.processed) continue;
    const int row = std::stoi(fake::sentParams(request.request).back().value);
    EXPECT_GE(row, last[request.object]);
    last[request.object] = row;
  }
}

TEST_F(ReportAll, HoldsAtMostAsManyReportsAsItsWindowAllows) {
  const auto records = std::views::iota(0, 500) | std::views::transform([&](int) { return makeRecord(); });
  std::size_t read = 0;
  std::size_t ended = 0;
  const auto input = records | std::views::transform([&](const PaymentRecord& record) {
                       EXPECT_LE(++read - ended, 10U);
                       return makeReport(record);
                     });
  options.window = 10;
  const auto summary = reportAll(client, input, options, [&](const ReportResult&) { ++ended; });
  EXPECT_TRUE(summary.isComplete);
  EXPECT_EQ(ended, 500U);
}

TEST_F(ReportAll, GivesTheReasonForEachRefusal) {
  const auto guaranteed = makeRecord();
  makeReport(guaranteed, "guaranteed");
  makeReport(guaranteed, "failed");
  makeReport(makeRecord(), "lost");
  makeReport(makeRecord());
  reports.back().id = "pr_unknown";
  makeReport(makeRecord());
  std::vector<Result<Report>> input{reports.begin(), reports.end()};
  input.insert(input.begin(),
               Error{{.kind = ErrorKind::invalidParameter, .message = "line 1: no such column"}});
  std::vector<std::string> lines;
  const auto summary = reportAll(client, input, options, [&](const ReportResult& result) {
    lines.push_back(std::to_string(result.row) + ' ' + std::string{toString(result.end)} + ' ' +
                    result.reason);
    EXPECT_FALSE(result.pending);
    EXPECT_EQ(result.error != nullptr, result.end == ReportEnd::refused);
  });
  EXPECT_TRUE(summary.isComplete);
  EXPECT_EQ(summary.progress.refused, 4U);
  EXPECT_THAT(lines, Contains(HasSubstr("0 refused invalid parameter: line 1: no such column")));
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("2 refused "), HasSubstr("already guaranteed"))));
  EXPECT_THAT(
      lines,
      Contains(HasSubstr("3 refused report: invalid parameter: expected canceled, failed, guaranteed")));
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("4 refused "), HasSubstr("not found"))));
}

TEST_F(ReportAll, ResendsReportsThatFailedWithoutEffect) {
  makeReports(60);
  service->faults().inject({.times = 9, .error = "lock_timeout"});
  service->faults().inject({.times = 9, .error = "rate_limit"});
  service->faults().inject({.times = 9, .fault = Fault::connectionRefused});
  EXPECT_TRUE(run().isComplete);
  expectAllDoneOnce();
}

TEST_F(ReportAll, ResolvesReportsWithAnUnknownEffect) {
  makeReports(90);
  for (const Fault fault : {Fault::reset, Fault::responseLost, Fault::garbledBody, Fault::truncatedBody,
                            Fault::errorAfterProcessing})
    service->faults().inject({.operation = "payment_records.report_failed", .times = 4, .fault = fault});
  service->faults().inject(
      {.operation = "payment_records.retrieve", .times = 5, .fault = Fault::responseLost});
  EXPECT_TRUE(run().isComplete);
  expectAllDoneOnce();
}

TEST_F(ReportAll, ReadsObjectsOnlyIfNecessaryOrRequested) {
  makeReports(10);
  reports[3].attempt.clear();
  reports[7].attempt.clear();
  EXPECT_TRUE(run().isComplete);
  EXPECT_EQ(reads(), 2);
  makeReports(10);
  options.readBefore = ReadBefore::always;
  reports.erase(reports.begin(), reports.begin() + 10);
  EXPECT_TRUE(run().isComplete);
  EXPECT_EQ(reads(), 12);
}

TEST_F(ReportAll, UsesTheResponseToThePreviousReportInsteadOfARead) {
  const auto record = makeRecord();
  makeReport(record, "failed");
  makeReport(record, "canceled");
  makeReport(record, "guaranteed");
  for (Report& report : reports)
    report.attempt.clear();
  service->faults().inject({.operation = "payment_records.report_canceled", .fault = Fault::reset});
  EXPECT_TRUE(run().isComplete);
  expectAllDoneOnce();
  EXPECT_EQ(reads(), 2);  // before the first report, and to resolve the second one
}

TEST_F(ReportAll, DoesNotResendAReportWhenTheAttemptIsUnknown) {
  makeReports(6);
  for (Report& report : reports)
    report.attempt.clear();
  options.readBefore = ReadBefore::never;
  service->faults().inject({.object = reports[1].id, .fault = Fault::responseLost});
  service->faults().inject({.object = reports[2].id, .fault = Fault::reset});
  const auto summary = run();
  EXPECT_TRUE(summary.isComplete);
  EXPECT_EQ(told[1].end, ReportEnd::applied);
  EXPECT_EQ(told[2].end, ReportEnd::unknown);
  EXPECT_THAT(told[2].reason, HasSubstr("not applied"));
  EXPECT_EQ(timesApplied(2), 0);
}

TEST_F(ReportAll, DetectsADifferentAttemptInAReadOrAResponse) {
  makeReports(2);
  reports[0].attempt = "par_earlier";
  reports[1].attempt = "par_earlier";
  options.readBefore = ReadBefore::always;
  EXPECT_TRUE(run().isComplete);
  EXPECT_EQ(told[0].end, ReportEnd::refused);
  EXPECT_THAT(told[0].reason, HasSubstr("another attempt"));
  EXPECT_EQ(timesApplied(0), 0);
  // The response tells too, but only afterwards.
  options.readBefore = ReadBefore::unlessAttemptKnown;
  EXPECT_TRUE(run().isComplete);
  EXPECT_EQ(told[1].end, ReportEnd::unknown);
  EXPECT_THAT(told[1].reason, HasSubstr("applied to another attempt"));
}

TEST_F(ReportAll, SendsReportsAsFastAsAPacerAllows) {
  renew({});
  ClientOptions clientOptions = service->clientOptions(key);
  clientOptions.pacer = std::make_shared<Pacer>(PacerOptions{.livemode = false, .windowMargin = 0ms});
  client = Client{clientOptions};
  makeReports(500);
  const Instant start = client.clock().now();
  EXPECT_TRUE(run().isComplete);
  for (const auto& request : service->requests().list())
    EXPECT_NE(request.status, 429);
  EXPECT_LE(client.clock().now() - start, 20s * 1.02);  // 25 per second
}

// ---- With a journal

TEST_F(JournaledReports, AreSentOnlyAfterTheirIntentsAreWrittenInBatches) {
  makeReports(200);
  std::size_t largest = 0;
  std::set<std::uint64_t> intended;
  journal->onWrite = [&](std::span<const JournalIntent> intents) {
    largest = std::max(largest, intents.size());
    for (const JournalIntent& intent : intents) {
      EXPECT_EQ(timesApplied(intent.row), 0);
      EXPECT_EQ(intent.report, reports.at(static_cast<std::size_t>(intent.row)).toText());
      intended.insert(intent.row);
    }
  };
  onResult = [&](const ReportResult& result) { EXPECT_TRUE(journal->ended.contains(result.row)); };
  EXPECT_TRUE(run().isComplete);
  EXPECT_THAT(intended, SizeIs(200));
  EXPECT_THAT(journal->sent, IsEmpty());
  EXPECT_GE(largest, 50U);
  expectAllDoneOnce();
}

/// The journal fails at every write in turn: what was sent is not recorded, as after a crash.
TEST_F(JournaledReports, AreAppliedOnceAfterACrashAtAnyWrite) {
  const auto add = [&] {
    const auto record = makeRecord();
    makeReports(9);
    for (const char* outcome : {"failed", "canceled", "guaranteed"})
      makeReport(record, outcome);
    for (std::size_t i = 0; i < 6; ++i)
      reports[2 * i].attempt.clear();
  };
  options.window = 5;
  bool ended = false;
  for (int writes = 0; !ended; ++writes) {
    SCOPED_TRACE("crash at write " + std::to_string(writes));
    renew();
    add();
    for (const Fault fault : {Fault::reset, Fault::responseLost})
      service->faults().inject({.operation = "payment_records.report_failed", .times = 2, .fault = fault});
    options.journal = journal = std::make_shared<MemoryJournal>();
    journal->writesLeft = writes;
    const auto summary = run();
    ended = summary.isComplete;
    EXPECT_EQ(summary.problem, ended ? "" : "the disk is full");
    journal->writesLeft = 1'000'000;
    EXPECT_TRUE(run().isComplete);
    expectAllDoneOnce();
    EXPECT_THAT(journal->sent, IsEmpty());
  }
}

TEST_F(JournaledReports, HaveTheirResultsDeliveredAgainInTheNextRun) {
  makeReports(30);
  reports[4].outcome = "lost";
  EXPECT_TRUE(run().isComplete);
  const auto requests = service->requests().size();
  const auto summary = run();
  EXPECT_TRUE(summary.isComplete);
  EXPECT_EQ(summary.progress.fromEarlierRun, 30U);
  EXPECT_EQ(summary.progress.applied, 29U);
  EXPECT_EQ(service->requests().size(), requests);
  EXPECT_TRUE(told[4].fromEarlierRun);
  EXPECT_EQ(told[4].end, ReportEnd::refused);
  EXPECT_THAT(told[4].reason, HasSubstr("expected canceled"));
}

TEST_F(JournaledReports, AreNotSentWhenTheJournalBelongsToAnotherJob) {
  makeReports(3);
  EXPECT_TRUE(run().isComplete);
  const auto requests = service->requests().size();
  const auto problem = [&] {
    const auto summary = run();
    EXPECT_FALSE(summary.isComplete);
    EXPECT_EQ(service->requests().size(), requests);
    return summary.problem;
  };
  options.source = "other";
  EXPECT_THAT(problem(), HasSubstr("that of input"));
  options.source = "input";
  options.account = "acct_other";
  EXPECT_THAT(problem(), HasSubstr("that of input"));
  options.account = "";
  options.request.apiKey = service->addAccount().sandboxKey;
  EXPECT_THAT(problem(), HasSubstr("that of input"));
  options.request.apiKey.reset();
  std::swap(reports[0], reports[1]);
  EXPECT_THAT(problem(),
              HasSubstr("row 1 is " + reports[0].toText() + ", but the journal has " + reports[1].toText()));
  std::swap(reports[0], reports[1]);
  const Report last = reports.back();
  reports.pop_back();
  EXPECT_THAT(problem(), HasSubstr("more than 2 rows"));
  reports.push_back(last);
  EXPECT_TRUE(run().isComplete);
}

TEST_F(JournaledReports, AreReadBeforeTheyAreSentAgainIfTheirEffectsAreUnknown) {
  makeReports(20);
  service->faults().inject({.object = reports[11].id, .times = 2, .fault = Fault::reset});
  options.retryTimeout = 0ms;
  EXPECT_FALSE(run().isComplete);
  EXPECT_TRUE(told[11].pending);
  makeReports(5);
  const auto before = service->requests().size();
  EXPECT_TRUE(run().isComplete);
  expectAllDoneOnce();
  const auto log = service->requests().list();
  const auto first = std::ranges::find(log.begin() + static_cast<std::ptrdiff_t>(before), log.end(),
                                       reports[11].id, &fake::LoggedRequest::object);
  ASSERT_NE(first, log.end());
  EXPECT_EQ(first->request.method, Method::get);
}

TEST_F(JournaledReports, AreSentAfterAnInterruptionEvenIfAnEarlierOneCannotBeResolved) {
  makeReports(1);
  const auto record = makeRecord();
  makeReport(record, "failed");
  service->faults().inject({.object = record.id.str(), .times = 2, .fault = Fault::reset});
  options.retryTimeout = 0ms;
  EXPECT_FALSE(run().isComplete);
  EXPECT_TRUE(told[1].pending);
  makeReports(50);
  makeReport(record, "guaranteed");
  service->faults().inject(
      {.object = record.id.str(), .times = fake::FaultRule::unlimited, .response = html(500)});
  options.retryTimeout = 1min;
  const auto summary = run();
  EXPECT_FALSE(summary.isComplete);
  EXPECT_EQ(summary.progress.applied, 51U);
  EXPECT_EQ(told[1].end, ReportEnd::unknown);
  EXPECT_EQ(told[52].reason, "an earlier report on the same object is undecided");
  service->faults().clear();
  EXPECT_TRUE(run().isComplete);
  expectAllDoneOnce();
}

TEST_F(JournaledReports, CanBeStoppedCleanlyAndResumed) {
  makeReports(400);
  std::stop_source stop;
  options.stop = stop.get_token();
  onResult = [&](const ReportResult&) {
    if (told.size() == 100) stop.request_stop();
  };
  const auto summary = run();
  EXPECT_TRUE(summary.stopped);
  EXPECT_FALSE(summary.isComplete);
  EXPECT_LT(summary.progress.applied, 300U);
  EXPECT_EQ(summary.progress.unknown, 0U);
  for (const auto& [row, one] : told)
    EXPECT_EQ(timesApplied(row), one.end == ReportEnd::applied ? 1 : 0);
  EXPECT_THAT(journal->sent, IsEmpty());
  options.stop = {};
  onResult = {};
  EXPECT_TRUE(run().isComplete);
  expectAllDoneOnce();
}

TEST_F(JournaledReports, SurviveAnExceptionFromTheCallback) {
  makeReports(200);
  onResult = [&](const ReportResult&) {
    if (told.size() == 50) throw std::runtime_error{"no more"};
  };
  EXPECT_THROW((void)run(), std::runtime_error);
  EXPECT_EQ(told.size(), 50U);  // nothing is delivered afterwards
  EXPECT_THAT(journal->sent, IsEmpty());
  onResult = {};
  EXPECT_TRUE(run().isComplete);
  expectAllDoneOnce();
}

TEST_F(JournaledReports, SurviveAnExceptionFromTheInput) {
  makeReports(200);
  const auto input = reports | std::views::transform([](const Report& report) {
                       if (report.reference == "120") throw std::runtime_error{"unreadable"};
                       return report;
                     });
  EXPECT_THROW((void)reportAll(client, input, options), std::runtime_error);
  EXPECT_TRUE(run().isComplete);
  expectAllDoneOnce();
}

TEST_F(JournaledReports, StayPendingWhenTheKeyIsRefused) {
  makeReports(20);
  client = Client{service->clientOptions("sk_test_revoked")};
  options.account = "ours";
  const auto summary = run();
  EXPECT_FALSE(summary.isComplete);
  EXPECT_THAT(summary.problem, HasSubstr("not authenticated"));
  EXPECT_EQ(summary.progress.refused, 0U);
  client = Client{service->clientOptions(key)};
  EXPECT_TRUE(run().isComplete);
  expectAllDoneOnce();
}

TEST_F(JournaledReports, EndTheJobWhenTheServiceIsDownForTooLong) {
  makeReports(20);
  service->faults().inject({.times = 1'000'000, .fault = Fault::connectionRefused});
  options.retryTimeout = 60s;
  const Instant start = client.clock().now();
  const auto summary = run();
  EXPECT_FALSE(summary.isComplete);
  EXPECT_THAT(summary.problem,
              AllOf(HasSubstr("nothing succeeds anymore: "), HasSubstr("connection refused")));
  EXPECT_EQ(summary.progress.unsent, 20U);
  EXPECT_GE(client.clock().now() - start, 60s);
  EXPECT_LE(client.clock().now() - start, 90s);
  EXPECT_THAT(journal->sent, IsEmpty());
}

/// Reports that something else than the service responds to. Every second one names no attempt, so that its
/// object is read first.
class MisdirectedReports : public JournaledReports {
 protected:
  MisdirectedReports() { options.account = "ours"; }

  void makeMixedReports() {
    renew();
    options.journal = journal = std::make_shared<MemoryJournal>();
    makeReports(100);
    for (std::size_t row = 0; row < reports.size(); row += 2)
      reports[row].attempt.clear();
  }

  /// Puts a gateway between the client and the service.
  std::shared_ptr<Gateway> addGateway() {
    auto gateway = std::make_shared<Gateway>(service->transport());
    ClientOptions behind = service->clientOptions(key);
    behind.transport = gateway;
    client = Client{behind};
    return gateway;
  }

  /// Runs a job that ends without a result. Returns its problem.
  std::string runInVain() {
    const Instant start = client.clock().now();
    const auto summary = run();
    EXPECT_FALSE(summary.isComplete);
    EXPECT_EQ(summary.progress.applied + summary.progress.refused, 0U);
    for (const auto& [row, one] : told)
      EXPECT_TRUE(one.pending) << row << ' ' << one.reason;
    for (const auto& [row, outcome] : journal->ended)
      EXPECT_EQ(outcome.end, ReportEnd::unsent) << row << ' ' << outcome.reason;
    EXPECT_LE(client.clock().now() - start, 10s);
    return summary.problem;
  }

  void runOnceMore() {
    client = Client{service->clientOptions(key)};
    service->faults().clear();
    EXPECT_TRUE(run().isComplete);
    expectAllDoneOnce();
    EXPECT_THAT(journal->sent, IsEmpty());
  }
};

TEST_F(MisdirectedReports, EndTheJobIfTheServiceDoesNotRecognizeThePath) {
  makeMixedReports();
  ClientOptions wrong = service->clientOptions(key);
  wrong.baseUrl += "/api";
  client = Client{wrong};
  EXPECT_THAT(runInVain(), AllOf(HasSubstr("path_unknown"), HasSubstr("the base URL is probably wrong")));
  EXPECT_LT(service->requests().size(), reports.size());
  runOnceMore();
}

TEST_F(MisdirectedReports, AreNotSentAfterTheFirstHasShownThatTheKeyIsWrong) {
  makeMixedReports();
  ClientOptions wrong = service->clientOptions(key);
  wrong.apiKey = "sk_test_wrong";
  client = Client{wrong};
  const std::size_t earlier = service->requests().size();
  EXPECT_THAT(runInVain(), HasSubstr("key_unknown"));
  EXPECT_EQ(service->requests().size(), earlier + 1);
  EXPECT_THAT(journal->sent, IsEmpty());
  runOnceMore();
}

TEST_F(MisdirectedReports, EndTheJobIfOnlyAnotherServerResponds) {
  for (const HttpResponse& response : {html(200), html(302), html(400), html(404), html(409),
                                       HttpResponse{.status = 404, .body = R"({"message":"no route"})"}}) {
    SCOPED_TRACE(response.status);
    makeMixedReports();
    service->faults().inject({.times = fake::FaultRule::unlimited, .response = response});
    EXPECT_THAT(runInVain(), HasSubstr("the base URL is probably wrong"));
    runOnceMore();
  }
}

TEST_F(MisdirectedReports, EndTheJobIfAGatewayDemandsCredentials) {
  for (const int status : {401, 403, 407}) {
    SCOPED_TRACE(status);
    makeMixedReports();
    service->faults().inject({.times = fake::FaultRule::unlimited, .response = html(status)});
    EXPECT_THAT(runInVain(), HasSubstr("gateway or proxy"));
    runOnceMore();
  }
}

TEST_F(MisdirectedReports, AreSentAgainOnceTheGatewayIsReady) {
  makeMixedReports();
  service->faults().inject({.times = 150, .response = html(404)});
  EXPECT_TRUE(run().isComplete);
  expectAllDoneOnce();
}

TEST_F(MisdirectedReports, AreResolvedIfAGatewayHasForwardedThem) {
  for (const int status : {400, 404, 409, 421}) {
    SCOPED_TRACE(status);
    makeMixedReports();
    std::set<std::string> replaced;
    addGateway()->instead = [&](const HttpRequest& request,
                                const HttpResponse&) -> std::optional<TransportResult> {
      if (request.method != Method::post || !replaced.insert(request.body).second) return std::nullopt;
      return html(status);
    };
    EXPECT_TRUE(run().isComplete);
    EXPECT_THAT(replaced, SizeIs(reports.size()));
    expectAllDoneOnce();
  }
}

/// The response to the first report is lost, and the reads that could show what became of it get no response
/// from the service either.
TEST_F(MisdirectedReports, StayPendingIfAGatewayBlocksTheirResolution) {
  makeMixedReports();
  service->faults().inject({.object = reports[1].id, .fault = Fault::responseLost});
  service->faults().inject(
      {.object = reports[1].id, .times = fake::FaultRule::unlimited, .response = html(404)});
  const auto summary = run();
  EXPECT_FALSE(summary.isComplete);
  EXPECT_EQ(summary.progress.applied, reports.size() - 1);
  EXPECT_EQ(told[1].end, ReportEnd::unknown);
  EXPECT_TRUE(told[1].pending);
  EXPECT_TRUE(journal->sent.contains(1));
  runOnceMore();
}

/// As a firewall does that takes the metadata of one report for an attack.
TEST_F(MisdirectedReports, StayPendingIfAFirewallBlocksOneOfThem) {
  makeMixedReports();
  service->faults().inject({.operation = "payment_records.report_" + reports[1].outcome,
                            .object = reports[1].id,
                            .times = fake::FaultRule::unlimited,
                            .response = html(403)});
  const auto summary = run();
  EXPECT_FALSE(summary.isComplete);
  EXPECT_EQ(summary.progress.applied, reports.size() - 1);
  EXPECT_TRUE(told[1].pending);
  EXPECT_THAT(told[1].reason, HasSubstr("403"));
  runOnceMore();
}

TEST_F(MisdirectedReports, StayUnsentAfterAGenericConflict) {
  makeMixedReports();
  const HttpResponse conflict{
      .status = 409,
      .body = R"({"error":{"type":"invalid_request_error","code":"conflict","message":"Try again."}})"};
  service->faults().inject({.object = reports[0].id, .response = conflict});
  service->faults().inject({.object = reports[1].id, .response = conflict});
  EXPECT_FALSE(run().isComplete);
  for (const std::size_t row : {0U, 1U}) {
    EXPECT_EQ(told[row].end, ReportEnd::unsent);
    EXPECT_TRUE(told[row].pending);
    EXPECT_THAT(told[row].reason, HasSubstr("Try again."));
  }
  runOnceMore();
}

TEST_F(MisdirectedReports, StayUnsentIfTheirObjectsAreTooLargeToRead) {
  makeMixedReports();
  addGateway()->instead = [&](const HttpRequest& request, const HttpResponse&) {
    return request.method == Method::get && request.url.ends_with(reports[0].id)
               ? std::optional<TransportResult>{TransportFailure{TransportFailure::Kind::tooLarge, true,
                                                                 "response too large"}}
               : std::nullopt;
  };
  EXPECT_FALSE(run().isComplete);
  EXPECT_EQ(told[0].end, ReportEnd::unsent);
  EXPECT_TRUE(told[0].pending);
  runOnceMore();
}

/// The service refuses a parameter of the options, and would refuse it in a read too.
TEST_F(MisdirectedReports, EndTheJobIfAnExtraParameterIsRefused) {
  makeMixedReports();
  options.request.extraParams = {{"colour", "red"}};
  EXPECT_THAT(runInVain(), AllOf(HasSubstr("payment_records.report_"), HasSubstr("param colour")));
  for (const fake::LoggedRequest& request : service->requests().list())
    EXPECT_TRUE(request.method == "POST" || request.status == 200) << request;
  options.request.extraParams.clear();
  runOnceMore();
}

TEST_F(JournaledReports, WaitForAnUndecidedReportOnTheSameObject) {
  const auto record = makeRecord();
  makeReport(record, "failed");
  makeReport(record, "guaranteed");
  makeReports(1);
  service->faults().inject({.object = record.id.str(), .times = 2, .fault = Fault::reset});
  options.retryTimeout = 0ms;
  EXPECT_FALSE(run().isComplete);
  EXPECT_EQ(told[0].end, ReportEnd::unknown);
  EXPECT_EQ(told[1].end, ReportEnd::unsent);
  EXPECT_EQ(told[1].reason, "an earlier report on the same object is undecided");
  EXPECT_TRUE(run().isComplete);
  expectAllDoneOnce();
}

TEST_F(JournaledReports, WaitForAnUndecidedReportThatHasLeftTheWindow) {
  const auto record = makeRecord();
  makeReport(record, "failed");
  makeReports(4);
  makeReport(record, "guaranteed");
  service->faults().inject({.object = record.id.str(), .times = 2, .fault = Fault::reset});
  options.retryTimeout = 0ms;
  options.window = 1;
  EXPECT_FALSE(run().isComplete);
  EXPECT_EQ(told[0].end, ReportEnd::unknown);
  EXPECT_EQ(timesApplied(5), 0);
  EXPECT_TRUE(run().isComplete);
  expectAllDoneOnce();
}

TEST_F(JournaledReports, NotifyTheObserverOfTheirResultsAndProgress) {
  class Recorder final : public ReportObserver {
   public:
    void onResult(const ReportResult& /*result*/) override { ++results; }
    void onProgress(const ReportProgress& progress) override { seen.push_back(progress); }
    int results = 0;
    std::vector<ReportProgress> seen{};
  };
  const auto recorder = std::make_shared<Recorder>();
  std::size_t calls = 0;
  renew({.duration = 1s, .limits = false});
  makeReports(200);
  options.maxInFlight = 10;
  options.progressInterval = 1s;
  options.observer = recorder;
  options.onProgress = [&](const ReportProgress&) { ++calls; };
  EXPECT_TRUE(run().isComplete);
  EXPECT_EQ(recorder->results, 200);
  EXPECT_EQ(recorder->seen.size(), calls);
  EXPECT_GE(calls, 20U);
  const ReportProgress& middle = recorder->seen.at(12);
  EXPECT_EQ(middle.applied + middle.waiting, 200U);
  EXPECT_NEAR(middle.rate, 10, 2);
  EXPECT_GE(middle.timeLeft, 4s);
  EXPECT_LE(middle.timeLeft, 16s);
  EXPECT_EQ(recorder->seen.back().applied, 200U);
}

TEST_F(JournaledReports, IncludeEarlierResultsInTheirProgressFromTheStart) {
  renew({.duration = 1s, .limits = false});
  makeReports(30);
  reports[4].outcome = "lost";
  EXPECT_TRUE(run().isComplete);
  journal->ended[24].end = ReportEnd::unsent;
  for (std::uint64_t row = 25; row < 30; ++row)
    journal->sent[row] = {.row = row, .report = journal->ended.extract(row).mapped().report};
  std::vector<ReportProgress> seen;
  options.maxInFlight = 1;
  options.onProgress = [&](const ReportProgress& progress) { seen.push_back(progress); };
  EXPECT_TRUE(run().isComplete);
  EXPECT_EQ(seen.front().fromEarlierRun, 24U);
  EXPECT_EQ(seen.front().refused, 1U);
  EXPECT_EQ(seen.front().applied + seen.front().waiting, 29U);
  EXPECT_LE(seen.front().waiting, 6U);
  EXPECT_EQ(seen.back().fromEarlierRun, 24U);
  EXPECT_EQ(seen.back().applied, 29U);
  EXPECT_EQ(seen.back().waiting, 0U);
}

TEST_F(ReportAll, RejectsOptionsThatAreOutOfRange) {
  const auto rejects = [&](auto change) {
    ReportAllOptions changed;
    change(changed);
    EXPECT_THROW((void)reportAll(client, reports, changed), std::invalid_argument);
  };
  rejects([](auto& o) { o.window = 0; });
  rejects([](auto& o) { o.maxInFlight = 0; });
  rejects([](auto& o) { o.retryTimeout = -1ms; });
  rejects([](auto& o) { o.gracePeriod = -1ms; });
  rejects([](auto& o) { o.progressInterval = 0ms; });
}

}  // namespace
}  // namespace tally::test
