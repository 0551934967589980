#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/service.h>
#include <tally/outbox.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outbox/chaos/history.h"
#include "outbox/postgres_database.h"
#include "postgres/postgres_store.h"
#include "worker/worker.h"

namespace tally::test {

/// Nobody listens, so that the messages are the same each time.
class PolledStore final : public detail::PostgresStore {
 public:
  using PostgresStore::PostgresStore;

  [[nodiscard]] std::shared_ptr<void> listen(const std::function<void(std::string_view)>&) override {
    return nullptr;
  }
};

/// The outbox of a server, or of what stands before it: `folder` is that of the socket.
inline std::string outboxIn(const std::filesystem::path& folder) {
  return "host=" + folder.string() + " user=owner dbname=outbox gssencmode=disable";
}

/// A domain with one object.
struct Shop {
  std::string domain{};
  std::string object{};
  std::vector<std::uint64_t> sequences{};  // of its reports
};

/// Workers on PostgreSQL and on the fake, in virtual time.
class ShopTest : public MigratedOutboxTest {
 protected:
  Shop openShop() {
    return {.domain = "shop" + std::to_string(++shops_),
            .object = service_.insert<PaymentRecord>(key_).id.str()};
  }

  /// Each has its own number, in the order of the reports.
  std::vector<OutboxReport> newReports(Shop& shop, std::size_t count) {
    std::vector<OutboxReport> reports;
    for (std::size_t at = 0; at < count; ++at) {
      shop.sequences.push_back(++sequence_);
      reports.push_back(failedReport(shop.object, "k" + std::to_string(sequence_)));
      reports.back().report.metadata.set("sequence", std::to_string(sequence_));
    }
    return reports;
  }

  OutboxOptions optionsOf(const Shop& shop, std::function<void(const OutboxEvent&)> onEvent) {
    OutboxOptions made;
    made.domains = {{.name = shop.domain, .client = service_.clientOptions(key_)}};
    made.domains[0].client.pacer = std::make_shared<Pacer>();
    made.domains[0].client.timeout = std::chrono::seconds{5};
    made.allowLossOnPowerFailure = true;  // the server of the tests
    made.onEvent = std::move(onEvent);
    return made;
  }

  static bool isDecided(const Session& session, const Shop& shop) {
    return session.value("SELECT count(*) FROM tally.reports WHERE decided_at IS NULL AND domain = '" +
                         shop.domain + "'") == "0";
  }

  /// Works until all is decided, or at most for 100 events. Returns immediately if it can't take part.
  void work(const std::filesystem::path& folder, const Shop& shop, const Session& session) {
    if (isDecided(session, shop)) return;
    StopSource stop;
    PolledStore store{outboxIn(folder)};
    int events = 100;
    const OutboxOptions options = optionsOf(shop, [&](const OutboxEvent&) {
      if (--events == 0 || isDecided(session, shop)) stop.request_stop();
    });
    try {
      detail::Worker{store, options}.run(stop.get_token());
    } catch (const OutboxError&) {
      return;
    }
  }

  /// As the service says.
  void expectEachOnceInOrder(const Shop& shop) {
    const History history{service_.requests().list()};
    for (const std::uint64_t sequence : shop.sequences)
      EXPECT_EQ(history.effects(sequence), 1) << "of report k" << sequence;
    EXPECT_THAT(history.outOfOrder(), testing::IsEmpty());
  }

  static std::vector<std::string> statesIn(const Session& session, const Shop& shop) {
    return session.run("SELECT state FROM tally.reports WHERE domain = '" + shop.domain + "' ORDER BY id");
  }

  fake::Service service_{};
  std::string key_ = service_.addAccount().sandboxKey;

 private:
  int shops_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace tally::test
