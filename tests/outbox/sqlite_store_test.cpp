#include "sqlite/sqlite_store.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tally/fake/virtual_clock.h>
#include <tally/outbox_sqlite.h>

#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sqlite/sqlite_schema.h"
#include "store_contract.h"
#include "support/disk_syncs.h"
#include "wire/temporary_folder.h"

namespace tally::test {
namespace {

namespace fs = std::filesystem;

using detail::SqliteStore;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A connection of the application.
class SqliteApplication {
 public:
  explicit SqliteApplication(const fs::path& file) {
    sqlite3* connection = nullptr;
    (void)sqlite3_open(file.c_str(), &connection);
    connection_.reset(connection);
    (void)run("PRAGMA busy_timeout = 10000");
  }

  operator sqlite3*() const { return connection_.get(); }

  /// The values of all rows, or one error.
  std::vector<std::string> run(const std::string& sql) const {
    std::vector<std::string> values;
    char* error = nullptr;
    const auto add = [](void* all, int columns, char** texts, char**) {
      for (int column = 0; column < columns; ++column)
        static_cast<std::vector<std::string>*>(all)->emplace_back(texts[column] == nullptr ? ""
                                                                                           : texts[column]);
      return 0;
    };
    (void)sqlite3_exec(connection_.get(), sql.c_str(), add, &values, &error);
    if (error != nullptr) values = {error};
    sqlite3_free(error);
    return values;
  }
  [[nodiscard]] std::string value(const std::string& sql) const {
    const auto values = run(sql);
    return values.empty() ? "" : values.front();
  }

 private:
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close(connection); }
  };
  std::unique_ptr<sqlite3, Close> connection_;
};

class SqliteUnderTest final : public StoreUnderTest {
 public:
  SqliteUnderTest() { store_.migrate(); }

  detail::OutboxStore& store() override { return store_; }
  std::chrono::sys_seconds now() override { return std::chrono::floor<std::chrono::seconds>(clock_->now()); }
  void advance(std::chrono::seconds time) override { clock_->advance(time); }

  std::string outcomeOf(std::uint64_t report) override {
    return application().value(
        "SELECT outcome || ': ' || reason FROM tally_report WHERE outcome IS NOT NULL AND id = " +
        std::to_string(report));
  }
  std::string answerTo(std::uint64_t request) override {
    return application().value("SELECT answer FROM tally_request WHERE id = " + std::to_string(request));
  }
  std::vector<std::string> lateFindings() override {
    return application().run("SELECT report || ': ' || finding FROM tally_late");
  }

 private:
  [[nodiscard]] SqliteApplication application() const { return SqliteApplication{file_}; }

  TemporaryFolder folder_;
  fs::path file_ = folder_.path() / "outbox.db";
  std::shared_ptr<fake::VirtualClock> clock_ = clockOfDatabase();
  SqliteStore store_{file_, clock_};
};

const StoreKind sqliteKind{.name = "SQLite", .make = [] { return std::make_unique<SqliteUnderTest>(); }};

INSTANTIATE_TEST_SUITE_P(SQLite, StoredReports, testing::Values(sqliteKind), nameOfStore);
INSTANTIATE_TEST_SUITE_P(SQLite, Heads, testing::Values(sqliteKind), nameOfStore);
INSTANTIATE_TEST_SUITE_P(SQLite, Decisions, testing::Values(sqliteKind), nameOfStore);
INSTANTIATE_TEST_SUITE_P(SQLite, StoredRequests, testing::Values(sqliteKind), nameOfStore);
INSTANTIATE_TEST_SUITE_P(SQLite, Workers, testing::Values(sqliteKind), nameOfStore);
INSTANTIATE_TEST_SUITE_P(SQLite, Traces, testing::Values(sqliteKind), nameOfStore);

class SqliteOutbox : public testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<detail::WorkerStore> enroll() {
    return store_.enroll({.host = "host", .process = 1, .domains = {"shop"}});
  }
  std::uint64_t enqueueOne(const std::string& id) {
    return store_.enqueueAll("shop", std::vector{failedReport(id)}, {}).value().front();
  }
  /// Why the file can't be used.
  [[nodiscard]] std::string trouble() {
    return errorOf([&] { (void)SqliteStore{file_}.status(); });
  }
  void write(const std::string& contents) const { std::ofstream{file_, std::ios::binary} << contents; }

  TemporaryFolder folder_;
  fs::path file_ = folder_.path() / "outbox.db";
  SqliteStore store_{file_};
};

TEST_F(SqliteOutbox, SyncsWhatTheWorkerHasWritten) {
  store_.migrate();
  const auto report = enqueueOne("pr_1");
  const auto domain = enroll()->claim("shop");
  int before = diskSyncs();
  (void)domain->write({.intents = {{.report = report}}});
  EXPECT_GT(diskSyncs(), before);
  before = diskSyncs();
  (void)domain->write({.outcomes = {{.report = report, .object = "pr_1", .outcome = "applied"}}});
  EXPECT_GT(diskSyncs(), before);
}

TEST_F(SqliteOutbox, AllowsNoSecondWorkerUntilTheFirstDeparts) {
  store_.migrate();
  auto worker = enroll();
  EXPECT_THAT(errorOf([&] { (void)enroll(); }), HasSubstr("is in use by another process"));
  EXPECT_THAT(errorOf([&] { (void)SqliteStore{file_}.enroll({}); }),
              HasSubstr("is in use by another process"));
  enqueueOne("pr_1");  // others enqueue meanwhile
  const auto domain = worker->claim("shop");
  worker->depart();
  EXPECT_EQ(worker->beat(), std::nullopt);
  EXPECT_EQ(worker->claim("shop"), nullptr);
  EXPECT_THROW((void)domain->read(1, 1), detail::SessionOver);
  EXPECT_NE(enroll()->claim("shop"), nullptr);
}

/// What is written to a file without a name is lost.
TEST_F(SqliteOutbox, IsUnusableWhileItsFileIsMissing) {
  store_.migrate();
  const auto worker = enroll();
  const auto domain = worker->claim("shop");
  enqueueOne("pr_1");
  fs::rename(file_, file_.string() + "-old");
  const auto isGone = HasSubstr("has been removed or replaced");
  EXPECT_THAT(errorOf([&] { (void)worker->beat(); }), isGone);
  EXPECT_THAT(errorOf([&] { enqueueOne("pr_2"); }), isGone);
  EXPECT_THAT(errorOf([&] { (void)domain->write({.intents = {{.report = 1}}}); }), isGone);
  fs::rename(file_.string() + "-old", file_);
  EXPECT_TRUE(worker->beat());
  EXPECT_THAT(domain->write({.intents = {{.report = 1}}}), IsEmpty());
}

TEST_F(SqliteOutbox, RefusesASecondWorkerWhileADomainOfTheFirstIsInUse) {
  store_.migrate();
  auto worker = enroll();
  auto domain = worker->claim("shop");
  worker.reset();
  EXPECT_THAT(errorOf([&] { (void)enroll(); }), HasSubstr("is in use by another process"));
  domain.reset();
  EXPECT_NE(enroll()->claim("shop"), nullptr);
}

TEST_F(SqliteOutbox, CountsTheDeathsOfWorkersThatMayHaveSentAReport) {
  store_.migrate();
  const auto head = enqueueOne("pr_1");
  const auto other = enqueueOne("pr_2");
  for (std::uint32_t deaths = 0; deaths < 3; ++deaths) {
    const auto domain = enroll()->claim("shop");
    const auto heads = domain->read(10, 10).heads;
    ASSERT_THAT(numbersOf(heads), ElementsAre(head, other));
    EXPECT_EQ(heads[0].deaths, deaths);
    EXPECT_EQ(heads[1].deaths, 0U);
    (void)domain->write({.intents = {{.report = head}}});
  }
  const auto worker = enroll();
  const auto domain = worker->claim("shop");
  (void)domain->write({.parkings = {{.report = head, .reason = "three workers died"}}});
  const std::vector requests{store_.ask("release", head, {})};
  (void)domain->carryOut(requests);
  EXPECT_EQ(domain->read(10, 10).heads.at(0).deaths, 0U);
}

/// As docs/outbox.md says for a file that has been restored.
TEST_F(SqliteOutbox, ResolvesWaitingReportsFirstOnceTheirSenderIsSet) {
  store_.migrate();
  const auto decided = enqueueOne("pr_1");
  (void)enroll()->claim("shop")->write(
      {.outcomes = {{.report = decided, .object = "pr_1", .outcome = "applied"}}});
  enqueueOne("pr_1");
  EXPECT_THAT(SqliteApplication{file_}.run("UPDATE tally_report SET sender = '' WHERE outcome IS NULL"),
              IsEmpty());
  enqueueOne("pr_2");
  const auto heads = enroll()->claim("shop")->read(10, 10).heads;
  ASSERT_THAT(heads, SizeIs(2));
  EXPECT_TRUE(heads[0].mayHaveBeenSent);
  EXPECT_EQ(heads[0].deaths, 0U);
  EXPECT_THAT(heads[0].earlier, SizeIs(1));
  EXPECT_FALSE(heads[1].mayHaveBeenSent);
}

TEST_F(SqliteOutbox, ForgetsTheOwnerWhenANewWorkerEnrolls) {
  store_.migrate();
  auto worker = enroll();
  (void)worker->claim("shop");
  EXPECT_EQ(store_.status().at(0).owner, "host 1");
  worker.reset();
  worker = enroll();
  EXPECT_EQ(store_.status().at(0).owner, "");
}

TEST_F(SqliteOutbox, ReturnsOnlyReportsThatTheApplicationHasCommitted) {
  const SqliteApplication application{file_};
  migrateOutbox(application);
  application.run("CREATE TABLE orders (id TEXT); BEGIN; INSERT INTO orders VALUES ('lost')");
  ASSERT_TRUE(enqueue(application, "shop", failedReport("pr_1")));
  application.run("ROLLBACK");
  EXPECT_EQ(application.value("SELECT count(*) FROM orders"), "0");
  ASSERT_TRUE(enqueue(application, "shop", failedReport("pr_2")));
  const auto worker = enroll();
  const auto domain = worker->claim("shop");
  application.run("BEGIN");
  ASSERT_TRUE(enqueue(application, "shop", failedReport("pr_3")));
  EXPECT_THAT(domain->read(10, 10).heads, testing::SizeIs(1));
  application.run("COMMIT");
  const auto heads = domain->read(10, 10).heads;
  ASSERT_EQ(heads.size(), 1U);
  EXPECT_EQ(heads[0].object, "pr_3");
}

TEST_F(SqliteOutbox, LetsTheTransactionContinueAfterARefusedReport) {
  const SqliteApplication application{file_};
  migrateOutbox(application);
  application.run("CREATE TABLE orders (id TEXT); BEGIN; INSERT INTO orders VALUES ('kept')");
  ASSERT_TRUE(enqueue(application, "shop", failedReport("pr_1", "a")));
  const auto refused =
      enqueueAll(application, "shop", std::vector{failedReport("pr_2", "b"), failedReport("pr_3", "a")});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().param(), "key");
  application.run("COMMIT");
  EXPECT_EQ(application.value("SELECT group_concat(object) FROM tally_report"), "pr_1");
  EXPECT_EQ(application.value("SELECT count(*) FROM orders"), "1");
  EXPECT_EQ(application.value("SELECT waiting FROM tally_domain"), "1");
}

TEST_F(SqliteOutbox, CanBeMigratedRepeatedlyAlongsideApplicationTables) {
  const SqliteApplication application{file_};
  application.run("CREATE TABLE orders (id TEXT); INSERT INTO orders VALUES ('kept')");
  migrateOutbox(application);
  ASSERT_TRUE(enqueue(application, "shop", failedReport("pr_1")));
  migrateOutbox(application);
  store_.migrate();
  EXPECT_EQ(application.value("SELECT count(*) FROM orders"), "1");
  EXPECT_EQ(application.value("SELECT count(*) FROM tally_report"), "1");
  EXPECT_EQ(application.value("PRAGMA journal_mode"), "wal");
}

TEST_F(SqliteOutbox, CannotBeMigratedInATransactionOrInMemory) {
  const SqliteApplication application{file_};
  application.run("BEGIN");
  EXPECT_THAT(errorOf([&] { migrateOutbox(application); }), HasSubstr("in a transaction"));
  EXPECT_THAT(errorOf([&] { migrateOutbox(SqliteApplication{":memory:"}); }), HasSubstr("in memory"));
  EXPECT_THROW(migrateOutbox(nullptr), std::invalid_argument);
}

TEST_F(SqliteOutbox, ReportsWhyAFileCannotBeUsed) {
  EXPECT_THAT(trouble(), HasSubstr("can't be opened: No such file"));
  EXPECT_FALSE(fs::exists(file_));
  write("");
  EXPECT_THAT(trouble(), HasSubstr("has no outbox yet: migrate it first"));
  write(std::string(5'000, 'x'));
  EXPECT_THAT(trouble(), HasSubstr("is not a tally outbox"));
  EXPECT_THAT(errorOf([&] { store_.migrate(); }), HasSubstr("is not a tally outbox"));
  fs::remove(file_);
  fs::create_directory(file_);
  EXPECT_THAT(trouble(), HasSubstr("it is not a regular file"));
  EXPECT_THAT(errorOf([] { const SqliteStore store{""}; }), HasSubstr("the outbox has no name"));
}

TEST_F(SqliteOutbox, RefusesANewerSchemaVersion) {
  store_.migrate();
  const SqliteApplication application{file_};
  application.run("UPDATE tally_schema SET version = 7");
  for (const auto& said : {trouble(), errorOf([&] { store_.migrate(); }),
                           errorOf([&] { (void)enqueue(application, "shop", failedReport("pr_1")); })})
    EXPECT_THAT(said, HasSubstr("has an outbox of version 7, but this program supports versions up to 1"));
}

TEST_F(SqliteOutbox, ReportsADamagedFile) {
  store_.migrate();
  for (int i = 0; i < 200; ++i)
    enqueueOne("pr_" + std::to_string(i));
  SqliteApplication{file_}.run("PRAGMA wal_checkpoint(TRUNCATE)");
  std::fstream file{file_, std::ios::in | std::ios::out | std::ios::binary};
  constexpr int page = 4'096;
  file.seekp(page);
  file << std::string(static_cast<std::size_t>(fs::file_size(file_)) - page, '\xEE');
  file.close();
  EXPECT_THAT(trouble(), HasSubstr("is damaged"));
}

TEST_F(SqliteOutbox, LosesNoEnqueuedReportWhenTheDatabaseIsFull) {
  const SqliteApplication application{file_};
  migrateOutbox(application);
  application.run("PRAGMA max_page_count = " +
                  std::to_string(std::stoi(application.value("PRAGMA page_count")) + 2));
  std::vector<std::uint64_t> enqueued;
  std::string said;
  for (int i = 0; i < 1'000 && said.empty(); ++i)
    said = errorOf([&] {
      enqueued.push_back(enqueue(application, "shop", failedReport("pr_" + std::to_string(i))).value());
    });
  EXPECT_THAT(said, HasSubstr("full"));
  ASSERT_FALSE(enqueued.empty());
  const auto worker = enroll();
  EXPECT_EQ(numbersOf(worker->claim("shop")->read(1'000, 1'000).heads), enqueued);
}

TEST_F(SqliteOutbox, ReportsThatATransactionMayBeCommittedIfItCannotBeSynchronized) {
  store_.migrate();
  std::string state;
  {
    const FailingDiskSyncs failing;
    try {
      enqueueOne("pr_1");
    } catch (const OutboxError& error) {
      state = error.sqlState();
    }
  }
  EXPECT_EQ(state, "40003");
}

/// Lets no file of this process grow, as if the disk were full.
class NoGrowth {
 public:
  explicit NoGrowth(rlim_t bytes) {
    (void)::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    (void)::setrlimit(RLIMIT_FSIZE, &limit);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  NoGrowth(const NoGrowth&) = delete;
  NoGrowth& operator=(const NoGrowth&) = delete;
  ~NoGrowth() {
    (void)::setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST_F(SqliteOutbox, ContinuesOnceTheDiskHasSpaceAgain) {
  store_.migrate();
  const auto head = enqueueOne("pr_1");
  const auto next = enqueueOne("pr_1");
  const auto worker = enroll();
  const auto domain = worker->claim("shop");
  EXPECT_THAT(numbersOf(domain->read(10, 10).heads), ElementsAre(head));
  const detail::Batch batch{.outcomes = {{.report = head, .object = "pr_1", .outcome = "applied"}}};
  {
    const NoGrowth full{1'024};
    EXPECT_NE(errorOf([&] { (void)domain->write(batch); }), "");
    EXPECT_NE(errorOf([&] { enqueueOne("pr_2"); }), "");
  }
  EXPECT_THAT(numbersOf(domain->write(batch)), ElementsAre(next));
  EXPECT_THAT(numbersOf(domain->write(batch)), ElementsAre(next));  // it may have been written before
  EXPECT_THAT(domain->read(10, 10).heads, IsEmpty());
  EXPECT_EQ(store_.status().at(0).waiting, 1U);
}

TEST_F(SqliteOutbox, AcceptsReportsFromSeveralThreadsWhileAWorkerRuns) {
  store_.migrate();
  constexpr int each = 50;
  const auto worker = enroll();
  const auto domain = worker->claim("shop");
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread)
    threads.emplace_back([&, thread] {
      const SqliteApplication application{file_};
      for (int i = 0; i < each; ++i)
        EXPECT_TRUE(enqueue(application, "shop",
                            failedReport("pr_" + std::to_string(thread) + std::to_string(i % 5))));
    });
  std::size_t decided = 0;
  std::vector<detail::Head> heads;
  while (decided < 3U * each) {
    if (heads.empty()) heads = domain->read(100, 100).heads;
    detail::Batch batch;
    for (const detail::Head& head : heads)
      batch.outcomes.push_back({.report = head.id, .object = head.object, .outcome = "applied"});
    decided += heads.size();
    heads = domain->write(batch);
    if (HasFailure()) break;
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(store_.status().at(0).waiting, 0U);
  EXPECT_THAT(domain->read(10, 10).heads, IsEmpty());
}

TEST_F(SqliteOutbox, KeepsAnAuditTrailThatCannotBeChanged) {
  store_.migrate();
  const auto report = enqueueOne("pr_1");
  store_.ask("cancel", report, "ticket 7");
  store_.pause("shop", "audit");
  store_.resume("shop", "done");
  store_.limitWaiting("shop", 5);
  const SqliteApplication application{file_};
  EXPECT_EQ(application.value("SELECT group_concat(action || ' ' || note, ', ') FROM tally_audit"),
            "cancel ticket 7, pause audit, resume done, limit_waiting 5");
  EXPECT_EQ(application.value("SELECT DISTINCT user FROM tally_audit"), std::to_string(::geteuid()));
  for (const char* const change : {"DELETE FROM tally_audit", "UPDATE tally_audit SET note = ''"})
    EXPECT_THAT(application.run(change), ElementsAre("tally_audit: rows are only added"));
}

TEST_F(SqliteOutbox, ErasesAnObjectExceptForHashesOfItsKeys) {
  store_.migrate();
  (void)store_.enqueueAll("shop", std::vector{failedReport("pr_1", "jane@example.com")}, {});
  const auto worker = store_.enroll({.domains = {"shop"}});
  const auto domain = worker->claim("shop");
  (void)store_.ask("cancel", 1, {});
  (void)domain->write({.outcomes = {{.report = 1, .object = "pr_1", .outcome = "applied"}},
                       .suspicions = {{.object = "pr_1"}},
                       .findings = {{.report = 1, .finding = "applied"}}});
  EXPECT_EQ(store_.erase("shop", "pr_1", "ticket 7"), 1U);
  const SqliteApplication application{file_};
  for (const std::string table : {"report", "request", "suspect", "late"})
    EXPECT_EQ(application.value("SELECT count(*) FROM tally_" + table), "0") << table;
  EXPECT_THAT(application.value("SELECT group_concat(key) FROM tally_key"),
              testing::MatchesRegex("hash [0-9]+"));
  EXPECT_EQ(application.value("SELECT note FROM tally_audit WHERE action = 'erase'"), "ticket 7");
}

/// Counts what SQLite does in connections that are opened in its scope.
class SqliteSteps {
 public:
  SqliteSteps() {
    steps = 0;
    sqlite3_auto_extension(reinterpret_cast<void (*)()>(&watch));
  }
  SqliteSteps(const SqliteSteps&) = delete;
  SqliteSteps& operator=(const SqliteSteps&) = delete;
  ~SqliteSteps() { sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(&watch)); }

  [[nodiscard]] std::uint64_t of(const std::function<void()>& work) const {
    const std::uint64_t before = steps;
    work();
    return steps - before;
  }

 private:
  static int count(void*) {
    ++steps;
    return 0;
  }
  static int watch(sqlite3* connection, char**, const void*) {
    sqlite3_progress_handler(connection, 1, &count, nullptr);
    return SQLITE_OK;
  }

  static inline std::uint64_t steps = 0;
};

TEST_F(SqliteOutbox, FindsTheReportsOnAnObjectAmongManyOthers) {
  store_.migrate();
  const SqliteSteps steps;
  SqliteStore store{file_};
  const auto domain = store.enroll({.host = "host", .process = 1, .domains = {"shop"}})->claim("shop");
  const auto decideOthers = [&](int number) {
    std::vector<OutboxReport> reports;
    for (int i = 0; i < number; ++i)
      reports.push_back(failedReport("pr_" + std::to_string(i)));
    const auto numbers = store.enqueueAll("shop", reports, {}).value();
    detail::Batch batch;
    for (const std::uint64_t report : numbers)
      batch.outcomes.push_back({.report = report, .object = "pr_x", .outcome = "applied"});
    (void)domain->write(batch);
  };
  // Of reading a head that may have been sent, of reading its recheck, and of erasing the object.
  const auto stepsOn = [&](const std::string& object) {
    const std::uint64_t report = store.enqueueAll("shop", std::vector{failedReport(object)}, {})->front();
    (void)domain->write({.intents = {{.report = report}}});
    std::vector<std::uint64_t> all{steps.of([&] { EXPECT_THAT(domain->read(10, 10).heads, SizeIs(1)); })};
    (void)domain->write({.outcomes = {{.report = report, .object = object, .outcome = "applied"}},
                         .suspicions = {{.object = object}}});
    all.push_back(steps.of([&] { EXPECT_THAT(domain->read(10, 10).heads, SizeIs(1)); }));
    all.push_back(steps.of([&] { EXPECT_EQ(store.erase("shop", object, {}), 1U); }));
    return all;
  };
  decideOthers(10);
  const auto few = stepsOn("pr_a");
  decideOthers(1'000);
  const auto many = stepsOn("pr_b");
  for (std::size_t part = 0; part < few.size(); ++part)
    EXPECT_LT(many[part], few[part] + 500) << part;
}

TEST_F(SqliteOutbox, ListsReportsWithStatesAndReasonsForDashboards) {
  store_.migrate();
  const auto head = enqueueOne("pr_1");
  (void)enqueueOne("pr_1");
  constexpr Timestamp later{std::chrono::sys_days{std::chrono::year{2100} / 1 / 1}};
  (void)store_.enqueueAll("shop", std::vector{failedReport("pr_2")}, {.notBefore = later});
  const auto parked = enqueueOne("pr_3");
  const auto refused = enqueueOne("pr_4");
  const auto sent = enqueueOne("pr_5");
  const SqliteApplication application{file_};
  const std::string reports = "SELECT id || ' ' || state || ': ' || reason FROM tally_reports ORDER BY id";
  EXPECT_THAT(application.run(reports), Contains("1 waiting: no worker has the key of the domain"));
  EXPECT_EQ(application.value("SELECT count(*) FROM tally_blocked"), "5");

  const auto worker = enroll();
  const auto domain = worker->claim("shop");
  (void)domain->write(
      {.intents = {{.report = sent}}, .parkings = {{.report = parked, .reason = "three workers died"}}});
  (void)domain->write(
      {.outcomes = {{.report = refused, .object = "pr_4", .outcome = "refused", .reason = "no"}}});
  EXPECT_THAT(application.run(reports),
              ElementsAre("1 waiting: ", "2 waiting: waits for report 1 on the same object",
                          "3 waiting: waits until 2100-01-01 00:00:00", "4 parked: three workers died",
                          "5 refused: no", "6 sent: "));
  EXPECT_THAT(application.run("SELECT report || ' ' || reason FROM tally_blocked ORDER BY report"),
              ElementsAre("3 waits until 2100-01-01 00:00:00", "4 three workers died"));
  EXPECT_THAT(
      application.run("SELECT outcome || ' ' || reason || ' ' || reports FROM tally_failed_by_reason"),
      ElementsAre("refused no 1"));
  EXPECT_THAT(application.run(
                  "SELECT domain || ' ' || waiting || ' ' || blocked || ' ' || failed FROM tally_domains"),
              ElementsAre("shop 5 2 1"));
  EXPECT_EQ(application.value("SELECT oldest FROM tally_domains"),
            application.value("SELECT enqueued_at FROM tally_reports WHERE id = " + std::to_string(head)));
  EXPECT_THAT(application.run("SELECT host || ' ' || process || ' ' || domains FROM tally_workers"),
              ElementsAre("host 1 shop"));
  store_.pause("shop", "audit");
  EXPECT_THAT(application.run(reports), Contains("1 waiting: the domain is paused: audit"));
  EXPECT_THAT(application.run("SELECT report || ' ' || state || ' ' || reason FROM tally_blocked"),
              Contains(std::to_string(sent) + " sent the domain is paused: audit"));
  EXPECT_THAT(application.run("SELECT action || ' ' || note FROM tally_audited"), ElementsAre("pause audit"));
  (void)store_.ask("retry", refused, {});
  EXPECT_THAT(
      application.run("SELECT action || ' ' || report || coalesce(answer, ' open') FROM tally_requests"),
      ElementsAre("retry " + std::to_string(refused) + " open"));
  domain->writeLate(std::vector{detail::LateFinding{.report = refused, .finding = "applied"}});
  EXPECT_THAT(application.run("SELECT object || ' ' || finding || ' ' || outcome FROM tally_late_findings"),
              ElementsAre("pr_4 applied refused"));
}

/// A file whose machine's clock is set back by an hour.
class SqliteOutboxWithItsClockSetBack : public SqliteOutbox {
 protected:
  SqliteOutboxWithItsClockSetBack() { store_.migrate(); }

  std::shared_ptr<fake::VirtualClock> clock_ = clockOfDatabase();
  SqliteStore before_{file_, clockOfDatabase(1)};
  SqliteStore after_{file_, clock_};
};

TEST_F(SqliteOutboxWithItsClockSetBack, DefersAReportForNoLongerThanItsDelay) {
  (void)before_.enqueueAll("shop", std::vector{failedReport("pr_1")}, {});
  auto worker = before_.enroll({.domains = {"shop"}});
  (void)worker->claim("shop")->write({.deferrals = {{.report = 1, .delay = std::chrono::seconds{60}}}});
  worker.reset();
  worker = after_.enroll({.domains = {"shop"}});
  const auto domain = worker->claim("shop");
  domain->maintain();
  EXPECT_THAT(domain->read(10, 10).heads, IsEmpty());
  clock_->advance(std::chrono::seconds{61});
  EXPECT_THAT(numbersOf(domain->read(10, 10).heads), ElementsAre(1U));
}

TEST_F(SqliteOutboxWithItsClockSetBack, SendsNoReportBeforeItsTime) {
  const Timestamp time{std::chrono::floor<std::chrono::seconds>(clock_->now()) + std::chrono::minutes{61}};
  (void)before_.enqueueAll("shop", std::vector{failedReport("pr_1")}, {.notBefore = time});
  const auto worker = after_.enroll({.domains = {"shop"}});
  const auto domain = worker->claim("shop");
  domain->maintain();
  clock_->advance(std::chrono::minutes{60});
  EXPECT_THAT(domain->read(10, 10).heads, IsEmpty());
  clock_->advance(std::chrono::minutes{1});
  EXPECT_THAT(numbersOf(domain->read(10, 10).heads), ElementsAre(1U));
}

TEST_F(SqliteOutboxWithItsClockSetBack, ShowsNoNegativeAge) {
  (void)before_.enqueueAll("shop", std::vector{failedReport("pr_1")}, {});
  EXPECT_EQ(after_.status().at(0).oldest, std::chrono::seconds{0});
  EXPECT_EQ(after_.blocked(1).at(0).age, std::chrono::seconds{0});
}

TEST_F(SqliteOutbox, KeepsOnlyTheKeyOfARemovedReport) {
  store_.migrate();
  const auto report = enqueueOne("pr_1");
  const auto worker = enroll();
  const auto domain = worker->claim("shop");
  (void)domain->write({.outcomes = {{.report = report, .object = "pr_1", .outcome = "applied"}}});
  store_.ask("release", enqueueOne("pr_2"), {});
  domain->writeLate(std::vector{detail::LateFinding{.report = report, .finding = "applied"}});
  (void)domain->removeDecided(std::chrono::seconds{0}, 1'000);
  const SqliteApplication application{file_};
  EXPECT_EQ(application.value("SELECT group_concat(object) FROM tally_report"), "pr_2");
  EXPECT_EQ(application.value("SELECT count(*) FROM tally_late"), "0");
  EXPECT_EQ(application.value("SELECT count(*) FROM tally_request"), "1");
  EXPECT_EQ(application.value("SELECT count(*) FROM tally_key"), "2");
}

}  // namespace
}  // namespace tally::test
