// A connection is cut at each message between a worker or an application and PostgreSQL, one after another.

#include <array>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tally/outbox_postgres.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outbox/postgres/postgres_proxy.h"
#include "outbox/postgres/shop_test.h"

namespace tally::test {
namespace {

using testing::ElementsAre;
using From = PostgresCut::From;
using How = PostgresCut::How;

/// All cuts of one kind, one after another.
struct Walk {
  PostgresCut cut{};
  bool freezes = false;

  friend void PrintTo(const Walk& walk, std::ostream* out) {
    *out << walk.cut << (walk.freezes ? ", frozen" : "");
  }
};

class CutConnections : public ShopTest, public testing::WithParamInterface<Walk> {
 protected:
  void SetUp() override {
    ShopTest::SetUp();
    if (session_) other_ = std::make_unique<Session>(url());
  }

  void endLife(const Shop& shop) {
    expectEachOnceInOrder(shop);
    EXPECT_THAT(statesIn(*session_, shop), testing::AllOf(testing::SizeIs(2), testing::Each("applied")));
    session_->run("DELETE FROM tally.worker");
    service_.requests().clear();
  }

  [[nodiscard]] static const std::filesystem::path& serverFolder() {
    return PostgresServer::instance().folder();
  }

  /// A worker's life with the cut; then another worker does what is left. Returns whether there was a cut.
  bool surviveCut(PostgresCut cut) {
    SCOPED_TRACE(testing::PrintToString(cut));
    Shop shop = openShop();
    EXPECT_TRUE(enqueueAll(*session_, shop.domain, newReports(shop, 2)));
    PostgresProxy proxy{serverFolder()};
    proxy.cutAt(cut);
    work(proxy.folder(), shop, *session_);
    work(proxy.folder(), shop, *session_);
    endLife(shop);
    return proxy.hasCut();
  }

  /// The same, but the first worker is frozen from the cut until the other one has done what was left.
  bool surviveFreeze(PostgresCut cut) {
    SCOPED_TRACE(testing::PrintToString(cut));
    Shop shop = openShop();
    EXPECT_TRUE(enqueueAll(*session_, shop.domain, newReports(shop, 2)));
    PostgresProxy proxy{serverFolder()};
    proxy.cutAt(cut, true);
    std::thread first{[&] {
      work(proxy.folder(), shop, *other_);
      proxy.clientsEnd();
    }};
    (void)proxy.awaitFrozenClient();
    work(serverFolder(), shop, *session_);
    proxy.thaw();
    first.join();
    endLife(shop);
    return proxy.hasCut();
  }

  std::unique_ptr<Session> other_{};  // for another thread
};

class CutEnqueue : public MigratedOutboxTest {
 protected:
  void SetUp() override {
    MigratedOutboxTest::SetUp();
    if (session_)
      session_->run(
          "DROP TABLE IF EXISTS orders; CREATE TABLE orders (sequence bigint PRIMARY KEY, failed bigint)");
  }

  /// Whether the transaction is known to have committed.
  static bool tryToEnqueue(const std::filesystem::path& folder, const std::string& sequence) {
    try {
      const Session shop{outboxIn(folder)};
      const auto isDone = [&](const std::string& sql) {
        return shop.run(sql).empty() && PQstatus(shop) == CONNECTION_OK;
      };
      return isDone("BEGIN") &&
             isDone("UPDATE orders SET failed = failed + 1 WHERE failed = 0 AND sequence = " + sequence) &&
             enqueue(shop, "shop", failedReport("pr_1", "k" + sequence)) && isDone("COMMIT");
    } catch (const std::runtime_error&) {
      return false;
    }
  }

  /// How often the order has failed, and has been reported.
  std::vector<std::string> counts(const std::string& sequence) {
    return session_->run("SELECT failed, (SELECT count(*) FROM tally.report WHERE key = 'k" + sequence +
                         "') FROM orders WHERE sequence = " + sequence);
  }

  /// Returns whether there was a cut.
  bool survive(PostgresCut cut) {
    SCOPED_TRACE(testing::PrintToString(cut));
    const std::string sequence = std::to_string(++sequence_);
    session_->run("INSERT INTO orders VALUES (" + sequence + ", 0)");
    PostgresProxy proxy{PostgresServer::instance().folder()};
    proxy.cutAt(cut);
    const bool isKnown = tryToEnqueue(proxy.folder(), sequence);
    EXPECT_THAT(counts(sequence), testing::AnyOf(ElementsAre("0", "0"), ElementsAre("1", "1")));
    EXPECT_TRUE(isKnown || tryToEnqueue(proxy.folder(), sequence));
    EXPECT_THAT(counts(sequence), ElementsAre("1", "1"));
    return proxy.hasCut();
  }

  std::uint64_t sequence_ = 0;
};

TEST_P(CutConnections, NeitherLoseNorDuplicateReports) {
  PostgresCut cut = GetParam().cut;
  for (cut.message = 1; !HasFailure(); ++cut.message)
    if (!(GetParam().freezes ? surviveFreeze(cut) : surviveCut(cut))) break;
  EXPECT_GT(cut.message, 15) << "a life has at least so many statements";
}

std::string nameOfWalk(const testing::TestParamInfo<Walk>& info) {
  const PostgresCut& cut = info.param.cut;
  constexpr std::array hows{"Before", "After", "LateAt"};
  return std::string{info.param.freezes ? "Frozen" : ""} + hows.at(static_cast<std::size_t>(cut.how)) +
         (cut.from == From::client ? "TheClient" : "TheServer");
}

// Once for each statement: parsed, executed but not committed, committed, and committed without a whole
// reply.
INSTANTIATE_TEST_SUITE_P(
    Statements, CutConnections,
    testing::Values(Walk{{From::client, How::before, "S"}}, Walk{{From::client, How::after, "S"}},
                    Walk{{From::server, How::before, "Z"}}, Walk{{From::client, How::late, "P"}},
                    Walk{{From::client, How::after, "S"}, true}, Walk{{From::server, How::before, "Z"}, true},
                    Walk{{From::client, How::late, "P"}, true}),
    nameOfWalk);

// For ./dev prove outbox.
INSTANTIATE_TEST_SUITE_P(EveryMessage, CutConnections,
                         testing::Values(Walk{{From::client, How::before}}, Walk{{From::client, How::after}},
                                         Walk{{From::server, How::before}}, Walk{{From::server, How::after}},
                                         Walk{{From::client, How::after}, true},
                                         Walk{{From::server, How::before}, true}),
                         nameOfWalk);

/// An application repeats its transaction with the same key until it knows that it has committed.
TEST_F(CutEnqueue, CommitsAnOrderOnlyTogetherWithItsReport) {
  for (const auto& [from, how] : {std::pair{From::client, How::before}, std::pair{From::client, How::after},
                                  std::pair{From::server, How::before}, std::pair{From::client, How::late}}) {
    PostgresCut cut{.from = from, .how = how, .types = how == How::late ? "PQ" : ""};
    for (cut.message = 1; !HasFailure(); ++cut.message)
      if (!survive(cut)) break;
    EXPECT_GT(cut.message, 4) << cut;
  }
}

/// In a database in which each intent costs its connection.
class LostIntents : public OutboxTest {
 protected:
  void SetUp() override {
    OutboxTest::SetUp();
    if (!session_) return;
    migrateOutbox(*session_);
    session_->run(
        "CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM "
        "pg_terminate_backend(pg_backend_pid()); RETURN NEW; END';"
        "CREATE TRIGGER cut BEFORE INSERT ON tally.intent FOR EACH ROW EXECUTE FUNCTION cut()");
  }
};

TEST_F(LostIntents, EndInAnErrorAfterALeaseAndCanBeRepeatedLater) {
  const auto number = enqueue(*session_, "shop", failedReport("pr_1"));
  ASSERT_TRUE(number);
  const auto worker = detail::PostgresStore{url()}.enroll(
      {.host = "host", .domains = {"shop"}, .lease = std::chrono::milliseconds{300}});
  const auto domain = worker->claim("shop");
  const detail::Batch intent{.intents = {{.report = *number}}};
  EXPECT_THROW((void)domain->write(intent), OutboxError);
  session_->run("DROP TRIGGER cut ON tally.intent");
  EXPECT_THAT(domain->write(intent), testing::IsEmpty());
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.intent"), "1");
}

}  // namespace
}  // namespace tally::test
