#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <tally/outbox_postgres.h>

#include <boost/json/serialize.hpp>

#include "enqueue/enqueue_check.h"
#include "postgres/postgres_array.h"
#include "postgres/postgres_connection.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

using detail::arrayOf;
using detail::numberOf;
using detail::PostgresConnection;
using detail::PostgresResult;
using Text = std::optional<std::string>;

/// The nearest time that PostgreSQL has.
Text secondsOf(const std::optional<Timestamp>& time) {
  constexpr std::int64_t first = -210'866'803'200;  // in the year 4714 BC
  constexpr std::int64_t last = 9'224'318'015'999;  // in the year 294276
  if (!time) return {};
  return std::to_string(std::clamp<std::int64_t>(time->time_since_epoch().count(), first, last));
}

Text notEmpty(const std::string& text) {
  return text.empty() ? Text{} : Text{text};
}

/// The JSON that the functions of the schema accept.
std::string jsonOf(const OutboxReport& one) {
  std::string json = one.report.toText();
  if (one.connectedAccount.empty()) return json;
  json.back() = ',';
  json += R"("connected_account":)" + boost::json::serialize(boost::json::string_view{one.connectedAccount});
  return json += '}';
}

/// What the functions of the schema refuse names the member as its column. Everything else is trouble.
Error refusalOf(const PostgresConnection& connection, const PostgresResult& result) {
  const std::string member = result.errorField(PG_DIAG_COLUMN_NAME);
  if (member.empty()) throw connection.errorOf(result);
  return detail::refusedReport(member, result.errorField(PG_DIAG_MESSAGE_PRIMARY));
}

}  // namespace

Result<std::uint64_t> enqueue(pg_conn* connection, std::string_view domain, const OutboxReport& report,
                              const EnqueueOptions& options) {
  PostgresConnection database{connection};
  if (auto error = detail::checkReports(domain, {&report, 1})) return *std::move(error);
  const PostgresResult result =
      database.query("SELECT tally.enqueue($1, $2, $3, to_timestamp($4::double precision), $5)",
                     {std::string{domain}, jsonOf(report), notEmpty(report.key), secondsOf(options.notBefore),
                      std::string{toString(options.priority)}});
  if (!result.isOk()) return refusalOf(database, result);
  return numberOf(result.text(0, 0));
}

Result<std::vector<std::uint64_t>> enqueueAll(pg_conn* connection, std::string_view domain,
                                              std::span<const OutboxReport> reports,
                                              const EnqueueOptions& options) {
  PostgresConnection database{connection};
  if (auto error = detail::checkReports(domain, reports)) return *std::move(error);
  const PostgresResult result = database.query(
      "SELECT number FROM unnest(tally.enqueue_all($1, $2, array_replace($3::text[], '', NULL),"
      " to_timestamp($4::double precision), $5)) number",
      {std::string{domain}, arrayOf(reports, jsonOf),
       arrayOf(reports, [](const OutboxReport& one) { return one.key; }), secondsOf(options.notBefore),
       std::string{toString(options.priority)}});
  if (!result.isOk()) return refusalOf(database, result);
  std::vector<std::uint64_t> numbers;
  numbers.reserve(reports.size());
  for (int row = 0; row < result.rows(); ++row)
    numbers.push_back(numberOf(result.text(row, 0)));
  return numbers;
}

}  // namespace tally
