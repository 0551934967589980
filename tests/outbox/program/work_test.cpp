// `tally-outbox work` with PostgreSQL and the fake of the service.

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <tally/fake/http_server.h>
#include <tally/fake/service.h>
#include <tally/outbox.h>
#include <tally/outbox_postgres.h>
#include <tally/tally.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake/server/support/peer.h"
#include "outbox/postgres_database.h"
#include "outbox/program/outbox_program.h"
#include "temporary_folder.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

class TallyOutboxWork : public MigratedOutboxTest {
 protected:
  TallyOutboxWork() { setenv("SHOP_KEY", key.c_str(), 1); }

  [[nodiscard]] std::vector<std::string> arguments(const std::vector<std::string>& more,
                                                   const std::string& keySource = "SHOP_KEY") const {
    std::vector<std::string> all{"work",       "--database", url(), "--domain", "shop=" + keySource,
                                 "--base-url", server.url()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  [[nodiscard]] OutboxProgram start(std::vector<std::string> more = {},
                                    const std::string& keySource = "SHOP_KEY") const {
    more.emplace_back("--allow-loss-on-power-failure");  // the server of the tests
    return OutboxProgram{arguments(more, keySource)};
  }
  [[nodiscard]] int run(std::vector<std::string> words) const {
    words.insert(words.end(), {"--database", url()});
    return runOutboxProgram(words).status;
  }

  std::string record() { return service.insert<PaymentRecord>(key).id.str(); }
  void enqueueReport(const std::string& id) const {
    ASSERT_TRUE(enqueue(*session_, "shop", failedReport(id)));
  }
  /// The report is the first request, since the object need not be read before.
  void enqueueReportOnKnownAttempt() {
    const auto record = service.insert<PaymentRecord>(key);
    OutboxReport known = failedReport(record.id.str());
    known.report.attempt = record.latestPaymentAttemptRecord.str();
    ASSERT_TRUE(enqueue(*session_, "shop", known));
  }
  [[nodiscard]] std::string value(const std::string& sql) const { return session_->value(sql); }

  fake::Service service{{.duration = std::chrono::nanoseconds{0}, .limits = false}};
  std::string key = service.addAccount().sandboxKey;
  fake::HttpServer server{service};
  TemporaryFolder folder{};
};

/// The response of the endpoint to one request.
std::string endpointResponse(std::uint16_t port, const std::string& bytes) {
  Peer peer{port};
  peer.send(bytes);
  return peer.rest();
}

std::string fetched(std::uint16_t port, const std::string& path) {
  return endpointResponse(port, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

/// The port in the first line of output.
std::uint16_t portOf(OutboxProgram& program) {
  const std::string line = program.line();
  EXPECT_THAT(line, StartsWith("tally-outbox listening on http://127.0.0.1:"));
  return static_cast<std::uint16_t>(std::stoul(line.substr(line.rfind(':') + 1)));
}

/// Asks until the response contains `text`, for at most half a minute.
std::string fetchedUntil(std::uint16_t port, const std::string& path, std::string_view text) {
  std::string response;
  for (const auto end = std::chrono::steady_clock::now() + 30s; std::chrono::steady_clock::now() < end;) {
    response = fetched(port, path);
    if (response.find(text) != std::string::npos) break;
  }
  return response;
}

TEST_F(TallyOutboxWork, AppliesReportsAndLogsEachEvent) {
  const std::string id = record();
  enqueueReport(id);
  OutboxProgram program = start();
  EXPECT_THAT(program.until("event=started"), MatchesRegex("time=[-0-9]+T[:.0-9]+Z event=started reason=.+"));
  EXPECT_THAT(program.until("event=report_applied"),
              MatchesRegex("time=[-0-9]+T[:.0-9]+Z event=report_applied domain=shop report=1 object=" + id));
  EXPECT_EQ(value("SELECT state FROM tally.reports"), "applied");
  program.signal(SIGTERM);
  EXPECT_THAT(program.until("event=stopping"), HasSubstr("reason=Terminated"));
  EXPECT_THAT(program.until("event=stopped"), HasSubstr("event=stopped"));
  EXPECT_EQ(program.status(), 0);
  EXPECT_EQ(value("SELECT count(*) FROM tally.worker"), "0");
}

TEST_F(TallyOutboxWork, NeverPrintsAKey) {
  enqueueReport(record());
  enqueueReport("pr_missing");
  OutboxProgram program = start();
  program.until("event=started");
  std::string output = program.until("event=report_") + program.until("event=report_");
  program.signal(SIGTERM);
  output += program.rest();
  EXPECT_THAT(output, AllOf(HasSubstr("report_applied"), HasSubstr("report_refused"), Not(HasSubstr(key))));
  EXPECT_EQ(program.status(), 0);
}

TEST_F(TallyOutboxWork, DecidesReportsInFlightAfterASignal) {
  service.faults().inject({.latency = 1s});
  enqueueReportOnKnownAttempt();
  OutboxProgram program = start();
  while (service.requests().size() == 0) {
  }
  program.signal(SIGINT);
  EXPECT_THAT(program.rest(), HasSubstr("event=report_applied"));
  EXPECT_EQ(program.status(), 0);
}

TEST_F(TallyOutboxWork, ExitsImmediatelyOnASecondSignal) {
  service.faults().inject({.times = 1'000, .latency = 5s});  // the read that resolves it, too
  enqueueReportOnKnownAttempt();
  OutboxProgram program = start();
  while (service.requests().size() == 0) {
  }
  program.signal(SIGTERM);
  program.until("event=stopping");
  program.signal(SIGTERM);
  EXPECT_THAT(program.rest(), Not(HasSubstr("event=stopped")));
  EXPECT_EQ(program.status(), 128 + SIGTERM);
  EXPECT_EQ(value("SELECT count(*) FROM tally.outcome"), "0");
}

/// Such as a pipe to a program that has been stopped.
TEST_F(TallyOutboxWork, ExitsOnASecondSignalAlthoughNobodyReadsItsLog) {
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), S_IRUSR | S_IWUSR), 0);
  const int reader = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  while (::write(reader, "x", 1) == 1) {
  }
  std::vector<std::string> words{"-c", "exec \"$0\" \"$@\" 2> " + pipe, TALLY_OUTBOX};
  for (const std::string& word : arguments({"--allow-loss-on-power-failure"}))
    words.push_back(word);
  Process program{"/bin/sh", words};
  while (value("SELECT count(*) FROM tally.worker") != "1") {
  }
  program.signal(SIGINT);
  program.signal(SIGTERM);
  EXPECT_EQ(program.status(), 128 + SIGTERM);
  ::close(reader);
}

TEST_F(TallyOutboxWork, RefusesADatabaseThatMayLoseCommits) {
  const auto [status, output] = runOutboxProgram(arguments({}));
  EXPECT_EQ(status, 1);
  EXPECT_THAT(output, AllOf(HasSubstr("fsync"), HasSubstr("set --allow-loss-on-power-failure to work")));
}

TEST_F(TallyOutboxWork, KeepsItsLeaseWhenStoppedUntilReportsAreDecided) {
  service.faults().inject({.fault = fake::Fault::responseLost});
  service.faults().inject({.times = 3, .response = HttpResponse{500, {}, ""}});  // to the reads after it
  enqueueReportOnKnownAttempt();
  OutboxOptions options{.lease = 2s, .gracePeriod = 60s, .allowLossOnPowerFailure = true};
  options.domains = {{.name = "shop", .client = {.apiKey = key, .baseUrl = server.url(), .timeout = 1s}}};
  StopSource stop;
  std::thread worker{[&] { Outbox{url(), options}.run(stop.get_token()); }};
  while (service.requests().size() == 0) {
  }
  stop.request_stop();
  worker.join();
  EXPECT_EQ(value("SELECT outcome FROM tally.outcome"), "applied");
}

TEST_F(TallyOutboxWork, ReleasesTheDomainWhenTheApplicationThrows) {
  enqueueReportOnKnownAttempt();
  StopSource stop;
  std::string reason;
  OutboxOptions options{.lease = 10s, .allowLossOnPowerFailure = true};
  options.domains = {{.name = "shop", .client = {.apiKey = key, .baseUrl = server.url(), .timeout = 5s}}};
  options.onEvent = [&](const OutboxEvent& event) {
    if (event.kind == OutboxEvent::Kind::reportApplied) throw std::runtime_error{"the application is full"};
    if (event.kind != OutboxEvent::Kind::domainReleased) return;
    reason = event.reason;
    stop.request_stop();
  };
  Outbox{url(), options}.run(stop.get_token());
  EXPECT_EQ(reason, "the application is full");
  EXPECT_EQ(value("SELECT outcome FROM tally.outcome"), "applied");
}

// ---- Keys

TEST_F(TallyOutboxWork, PausesADomainWhoseKeyIsRefused) {
  enqueueReport(record());
  setenv("SHOP_KEY", "sk_test_wrong", 1);
  OutboxProgram program = start();
  EXPECT_THAT(program.until("event=domain_paused"),
              HasSubstr("domain=shop reason=\"the service refuses the key"));
  program.signal(SIGTERM);
  EXPECT_THAT(program.rest(), Not(HasSubstr("sk_test_wrong")));
  EXPECT_EQ(program.status(), 0);
  EXPECT_THAT(value("SELECT paused FROM tally.domain"), StartsWith("the service refuses the key"));
}

TEST_F(TallyOutboxWork, ReloadsAChangedKeyFile) {
  enqueueReport(record());
  const std::string file = folder.write("key", "sk_test_wrong\n");
  OutboxProgram program = start({}, "@" + file);
  program.until("event=domain_paused");
  folder.write("key", "");
  EXPECT_THAT(program.until("event=key_unreadable"), HasSubstr("is empty"));
  folder.write("key", "sk_live_other");
  EXPECT_THAT(program.until("event=key_unreadable"), HasSubstr("a key of the other mode"));
  folder.write("key", key);
  EXPECT_THAT(program.until("event=key_changed"), HasSubstr("domain=shop"));
  EXPECT_EQ(run({"resume", "shop"}), 0);
  EXPECT_THAT(program.until("event=report_applied"), HasSubstr("report=1"));
  program.signal(SIGTERM);
  program.rest();
  EXPECT_EQ(program.status(), 0);
}

TEST_F(TallyOutboxWork, ShowsAndStoresNoKey) {
  enqueueReport(record());
  enqueueReport("pr_missing");
  OutboxProgram program = start({"--metrics", "127.0.0.1:0"});
  const std::uint16_t port = portOf(program);
  program.until("event=report_");
  program.until("event=report_");
  const std::string metrics = fetchedUntil(port, "/metrics", "tally_outbox_status_known 1\n");
  program.signal(SIGTERM);
  for (const std::string& text :
       {metrics, program.rest(), runOutboxProgram({"status", "--database", url()}).output,
        runOutboxProgram({"list", "--database", url()}).output,
        value("SELECT database_to_xml(true, true, '')")}) {
    EXPECT_NE(text, "");
    EXPECT_THAT(text, Not(HasSubstr(key)));
  }
}

// ---- Metrics and health

TEST_F(TallyOutboxWork, ServesMetrics) {
  enqueueReport(record());
  enqueueReport("pr_missing");
  OutboxProgram program = start({"--metrics", "127.0.0.1:0"});
  const std::uint16_t port = portOf(program);
  program.until("event=started");
  program.until("event=report_");
  program.until("event=report_");
  const std::string response = fetchedUntil(port, "/metrics", "tally_outbox_status_known 1\n");
  EXPECT_THAT(response, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(response, HasSubstr("Content-Type: text/plain; version=0.0.4"));
  for (const char* const sample :
       {"tally_outbox_reports_total{domain=\"shop\",end=\"applied\"} 1\n",
        "tally_outbox_reports_total{domain=\"shop\",end=\"refused\"} 1\n",
        "tally_outbox_reports_total{domain=\"shop\",end=\"unknown\"} 0\n",
        "tally_outbox_owned{domain=\"shop\"} 1\n", "tally_outbox_requests_in_flight{domain=\"shop\"} 0\n",
        "tally_outbox_claims_total{domain=\"shop\"} 1\n", "tally_outbox_dead_peers_total 0\n",
        "tally_outbox_database_trouble_total 0\n", "tally_outbox_failed{domain=\"shop\"} ",
        "tally_outbox_oldest_seconds{domain=\"shop\"} ",
        "tally_attempts_total{operation=\"payment_records.report_failed\"} "})
    EXPECT_THAT(response, HasSubstr(sample));
}

TEST_F(TallyOutboxWork, IsHealthyOnlyWhileTheDatabaseAnswers) {
  OutboxProgram program = start({"--metrics", "127.0.0.1:0", "--lease", "1"});
  const std::uint16_t port = portOf(program);
  EXPECT_THAT(fetchedUntil(port, "/health", "200 OK"), testing::EndsWith("\r\n\r\nok\n"));
  session_->run("BEGIN; LOCK TABLE tally.worker IN ACCESS EXCLUSIVE MODE");
  EXPECT_THAT(fetchedUntil(port, "/health", "503"),
              HasSubstr("the database has answered no heartbeat for 1 s"));
  session_->run("ROLLBACK");
  EXPECT_THAT(fetchedUntil(port, "/health", "200 OK"), HasSubstr("ok\n"));
}

TEST_F(TallyOutboxWork, RefusesInvalidRequestsToTheMetricsEndpoint) {
  OutboxProgram program = start({"--metrics", "127.0.0.1:0"});
  const std::uint16_t port = portOf(program);
  EXPECT_THAT(fetched(port, "/"), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(endpointResponse(port, "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"),
              AllOf(StartsWith("HTTP/1.1 405 "), HasSubstr("Allow: GET, HEAD\r\n")));
  EXPECT_THAT(
      endpointResponse(port, "GET /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"),
      StartsWith("HTTP/1.1 200 OK\r\n"))
      << "it does not wait for a body";
  for (const std::string& bytes : {"GET /health HTTP/1.1\r\nX: " + std::string(9'000, 'x') + "\r\n\r\n",
                                   std::string{"\x16\x03\x01 nonsense\r\n\r\n"},
                                   std::string{"POST /health HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n"}})
    EXPECT_EQ(endpointResponse(port, bytes), "");
  EXPECT_THAT(fetched(port, "/health?x=1"), HasSubstr("\r\n\r\n"));
}

TEST_F(TallyOutboxWork, AnswersHeadAsGetWithoutTheBody) {
  OutboxProgram program = start({"--metrics", "127.0.0.1:0"});
  const std::uint16_t port = portOf(program);
  fetchedUntil(port, "/health", "200 OK");
  EXPECT_THAT(endpointResponse(port, "HEAD /health HTTP/1.1\r\nHost: x\r\n\r\n"),
              AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("\r\nContent-Length: 3\r\n"),
                    testing::EndsWith("\r\n\r\n")));
}

TEST_F(TallyOutboxWork, ClosesIdleAndExcessConnections) {
  OutboxProgram program = start({"--metrics", "127.0.0.1:0"});
  const std::uint16_t port = portOf(program);
  std::vector<std::unique_ptr<Peer>> idle;
  for (int i = 0; i < 40; ++i)
    idle.push_back(std::make_unique<Peer>(port));
  EXPECT_EQ(idle.front()->rest(), "") << "the oldest is closed at once";
  EXPECT_THAT(fetched(port, "/metrics"), StartsWith("HTTP/1.1 200 OK\r\n")) << "although others are idle";
  idle.back()->send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_THAT(idle.back()->rest(), StartsWith("HTTP/1.1 "));
  EXPECT_EQ(idle[30]->rest(), "") << "it is closed after some seconds";
}

}  // namespace
}  // namespace tally::test
