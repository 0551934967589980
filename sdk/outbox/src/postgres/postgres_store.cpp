#include "postgres/postgres_store.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <tally/outbox_postgres.h>

#include "postgres/postgres_array.h"
#include "postgres/postgres_listener.h"
#include "postgres/postgres_session.h"
#include "postgres/postgres_worker.h"

namespace tally::detail {

namespace {

std::vector<OutboxReportStatus> reportsIn(const PostgresResult& rows) {
  std::vector<OutboxReportStatus> reports;
  for (int row = 0; row < rows.rows(); ++row) {
    const auto text = [&](int column) { return std::string{rows.text(row, column)}; };
    reports.push_back({.report = numberOf(rows.text(row, 0)),
                       .domain = text(1),
                       .object = text(2),
                       .key = text(3),
                       .state = text(4),
                       .reason = text(5),
                       .age = std::chrono::seconds{numberOf(rows.text(row, 6))}});
  }
  return reports;
}

/// The number of rows as a bigint.
std::string limitOf(std::size_t limit) {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  return std::to_string(std::min<std::uint64_t>(limit, most));
}

/// What the views show. Throws if that is nothing since the role may read in no domain.
PostgresResult readable(const std::string& url, const char* sql,
                        std::initializer_list<std::optional<std::string>> parameters) {
  PostgresSession session{url};
  PostgresResult rows = session.query(sql, parameters);
  if (rows.rows() > 0) return rows;
  const PostgresResult mayRead = session.query(
      "SELECT tally.may('read', '*') OR EXISTS (SELECT FROM tally.domains), session_user,"
      " format('SELECT tally.allow(%L, ''read'')', session_user)",
      {});
  if (mayRead.text(0, 0) == "t") return rows;
  throw OutboxError{"tally: there is no domain in which the role " + std::string{mayRead.text(0, 1)} +
                        " may read. The owner of the schema can grant it: " + std::string{mayRead.text(0, 2)},
                    "42501"};
}

}  // namespace

void PostgresStore::migrate() {
  PostgresSession session{url_};
  migrateOutbox(session.connection());
}

std::string PostgresStore::lackOfDurability() {
  PostgresSession session{url_};
  return detail::lackOfDurability(session);
}

Result<std::vector<std::uint64_t>> PostgresStore::enqueueAll(std::string_view domain,
                                                             std::span<const OutboxReport> reports,
                                                             const EnqueueOptions& options) {
  PostgresSession session{url_};
  return tally::enqueueAll(session.connection(), domain, reports, options);
}

std::uint64_t PostgresStore::ask(std::string_view action, std::uint64_t report, std::string_view note) {
  // One statement for each action, since a function's name is not a parameter.
  const char* const statement = action == "retry"    ? "SELECT tally.retry($1, $2)"
                                : action == "cancel" ? "SELECT tally.cancel($1, $2)"
                                                     : "SELECT tally.release($1, $2)";
  return numberOf(
      PostgresSession{url_}.query(statement, {std::to_string(report), std::string{note}}).text(0, 0));
}

void PostgresStore::pause(std::string_view domain, std::string_view reason) {
  (void)PostgresSession{url_}.query("SELECT tally.pause($1, $2)", {std::string{domain}, std::string{reason}});
}

void PostgresStore::resume(std::string_view domain, std::string_view note) {
  (void)PostgresSession{url_}.query("SELECT tally.resume($1, $2)", {std::string{domain}, std::string{note}});
}

void PostgresStore::limitWaiting(std::string_view domain, std::optional<std::uint64_t> maxWaiting) {
  (void)PostgresSession{url_}.query(
      "SELECT tally.limit_waiting($1, $2)",
      {std::string{domain}, maxWaiting ? NullableText{std::to_string(*maxWaiting)} : NullableText{}});
}

std::uint64_t PostgresStore::erase(std::string_view domain, std::string_view object, std::string_view note) {
  return numberOf(PostgresSession{url_}
                      .query("SELECT tally.erase($1, $2, $3)",
                             {std::string{domain}, std::string{object}, std::string{note}})
                      .text(0, 0));
}

std::vector<OutboxStatus> PostgresStore::status() {
  const PostgresResult rows =
      readable(url_,
               "SELECT domain, host || ' ' || process, paused, waiting, blocked, failed,"
               " extract(epoch FROM clock_timestamp() - oldest)::bigint FROM tally.domains ORDER BY domain",
               {});
  std::vector<OutboxStatus> domains;
  domains.reserve(static_cast<std::size_t>(rows.rows()));
  for (int row = 0; row < rows.rows(); ++row)
    domains.push_back({.domain = std::string{rows.text(row, 0)},
                       .owner = std::string{rows.text(row, 1)},
                       .paused = std::string{rows.text(row, 2)},
                       .waiting = numberOf(rows.text(row, 3)),
                       .blocked = numberOf(rows.text(row, 4)),
                       .failed = numberOf(rows.text(row, 5)),
                       .oldest = std::chrono::seconds{numberOf(rows.text(row, 6))}});
  return domains;
}

std::vector<OutboxReportStatus> PostgresStore::failed(std::size_t limit) {
  return reportsIn(readable(url_,
                            "SELECT report, domain, object, key, outcome, reason,"
                            " greatest(extract(epoch FROM clock_timestamp() - enqueued_at), 0)::bigint"
                            "  FROM tally.failed ORDER BY decided_at DESC, report DESC LIMIT $1",
                            {limitOf(limit)}));
}

std::vector<OutboxReportStatus> PostgresStore::blocked(std::size_t limit) {
  return reportsIn(readable(url_,
                            "SELECT report, domain, object, key, state, reason,"
                            " greatest(extract(epoch FROM clock_timestamp() - enqueued_at), 0)::bigint"
                            "  FROM tally.blocked ORDER BY enqueued_at, report LIMIT $1",
                            {limitOf(limit)}));
}

std::vector<OutboxRequestStatus> PostgresStore::requests(std::size_t limit) {
  const PostgresResult rows = readable(
      url_,
      "SELECT request, domain, report, action, answer FROM tally.requests ORDER BY request DESC LIMIT $1",
      {limitOf(limit)});
  std::vector<OutboxRequestStatus> requests;
  requests.reserve(static_cast<std::size_t>(rows.rows()));
  for (int row = 0; row < rows.rows(); ++row)
    requests.push_back({.request = numberOf(rows.text(row, 0)),
                        .domain = std::string{rows.text(row, 1)},
                        .report = numberOf(rows.text(row, 2)),
                        .action = std::string{rows.text(row, 3)},
                        .answer = std::string{rows.text(row, 4)}});
  return requests;
}

std::unique_ptr<WorkerStore> PostgresStore::enroll(const WorkerDescription& description) {
  return std::make_unique<PostgresWorker>(url_, description);
}

std::shared_ptr<void> PostgresStore::listen(const std::function<void(std::string_view domain)>& wake) {
  return std::make_shared<PostgresListener>(url_, wake);
}

}  // namespace tally::detail
