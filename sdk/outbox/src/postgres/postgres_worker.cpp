#include "postgres/postgres_worker.h"

#include <string_view>

#include <boost/json.hpp>

#include "postgres/postgres_array.h"
#include "postgres/postgres_domain.h"

namespace tally::detail {

namespace {

constexpr int workerVersion = 1;
constexpr std::string_view lockNotAvailable = "55P03";

std::vector<std::string> textsIn(const boost::json::value& array) {
  std::vector<std::string> texts;
  for (const auto& text : array.as_array())
    texts.emplace_back(text.as_string());
  return texts;
}

Heartbeat heartbeatIn(const boost::json::object& reply) {
  Heartbeat heartbeat{.owned = textsIn(reply.at("owned")), .unowned = textsIn(reply.at("free"))};
  for (const auto& peer : reply.at("peers").as_array())
    heartbeat.peers.push_back(
        {.incarnation = std::string{peer.at("incarnation").as_string()},
         .beat = peer.at("beat").to_number<std::uint64_t>(),
         .lease = std::chrono::milliseconds{peer.at("lease_ms").to_number<std::int64_t>()},
         .domains = textsIn(peer.at("keys"))});
  return heartbeat;
}

}  // namespace

PostgresWorker::PostgresWorker(std::string url, const WorkerDescription& description)
    : url_(std::move(url)),
      database_(url_),
      domains_(arrayOf(description.domains, [](const std::string& domain) { return domain; })),
      lease_(description.lease),
      refusesLoss_(description.refusesLoss) {
  incarnation_ = database_.query("SELECT gen_random_uuid()", {}).text(0, 0);
  (void)database_.query("SELECT tally.enroll($1, $2::bigint * interval '1 millisecond', $3, $4, $5, $6)",
                        {incarnation_, std::to_string(lease_.count()), description.host,
                         std::to_string(description.process), std::to_string(workerVersion), domains_});
}

std::optional<Heartbeat> PostgresWorker::beat() {
  const PostgresResult result =
      database_.query("SELECT tally.beat($1, $2)", {incarnation_, std::to_string(beat_)});
  if (result.isNull(0, 0)) {
    if (beat_ != 0) (void)database_.query("SELECT tally.miss_commits($1, $2)", {incarnation_, domains_});
    return std::nullopt;
  }
  const boost::json::value reply = boost::json::parse(result.text(0, 0));
  beat_ = reply.at("beat").to_number<std::uint64_t>();
  return heartbeatIn(reply.as_object());
}

/// The transaction of a person may hold a domain for a long time. No heartbeat waits for it, since the worker
/// has other domains; the next heartbeat tries again.
std::optional<PostgresResult> PostgresWorker::queryUnlessLocked(
    const char* call, std::initializer_list<std::optional<std::string>> parameters) {
  const std::string sql = std::string{"SELECT "} + call + " FROM set_config('lock_timeout', '50ms', true)";
  try {
    return database_.query(sql.c_str(), parameters);
  } catch (const OutboxError& error) {
    if (error.sqlState() != lockNotAvailable) throw;
    return std::nullopt;
  }
}

bool PostgresWorker::declareDead(const Peer& peer) {
  const auto result =
      queryUnlessLocked("tally.declare_dead($1, $2)", {peer.incarnation, std::to_string(peer.beat)});
  return result && result->text(0, 0) == "t";
}

/// Since the worker began, another server may have become the primary one, or the settings have changed.
void PostgresWorker::requireDurability() {
  if (const std::string lack = lackOfDurability(database_); !lack.empty()) throw refusalOfLoss(lack);
}

std::unique_ptr<DomainStore> PostgresWorker::claim(const std::string& domain) {
  if (refusesLoss_) requireDurability();
  const auto result = queryUnlessLocked("tally.claim($1, $2)", {domain, incarnation_});
  if (!result || result->isNull(0, 0)) return nullptr;
  return std::make_unique<PostgresDomain>(
      url_, domain,
      PostgresDomain::Owner{
          .incarnation = incarnation_, .session = std::string{result->text(0, 0)}, .patience = lease_});
}

void PostgresWorker::giveUp(const std::string& domain) {
  (void)queryUnlessLocked("tally.give_up($1, $2)", {domain, incarnation_});
}

void PostgresWorker::depart() {
  const auto leave = [this] {
    (void)database_.query("SELECT tally.depart($1) FROM set_config('lock_timeout', '1s', true)",
                          {incarnation_});
  };
  try {
    leave();
  } catch (const OutboxError&) {
    if (!database_.isLost()) throw;
    leave();  // the connection may have been closed long ago, since it was idle
  }
  beat_ = 0;
}

}  // namespace tally::detail
