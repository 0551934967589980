#include <algorithm>
#include <charconv>
#include <random>
#include <stdexcept>
#include <utility>

#include <tally/outbox_share.h>

#include "postgres/embedded_files.h"
#include "postgres/postgres_array.h"
#include "postgres/postgres_connection.h"
#include "postgres/schema_change.h"
#include "postgres/share_connection.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

using detail::PostgresConnection;
using detail::PostgresResult;

std::string_view schemaOfShares() {
  return std::ranges::find(detail::embeddedFiles, "shares.sql", &detail::EmbeddedFile::name)->text;
}

std::int64_t signedNumberOf(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The rows of tally.exchange_shares().
ShareReply replyOf(const PostgresResult& rows) {
  ShareReply reply;
  for (int row = 0; row < rows.rows(); ++row) {
    const std::string_view kind = rows.text(row, 0);
    std::string limit{rows.text(row, 1)};
    std::string process{rows.text(row, 2)};
    const std::int64_t a = signedNumberOf(rows.text(row, 3));
    const std::int64_t b = signedNumberOf(rows.text(row, 4));
    if (kind == "process") {
      reply.processes.push_back(
          {.process = std::move(process), .beat = a, .lease = std::chrono::milliseconds{b}});
    } else if (kind == "part") {
      reply.parts.push_back(
          {.limit = std::move(limit), .process = std::move(process), .want = a, .units = b});
    } else {
      reply.pools.push_back({.limit = std::move(limit), .freed = a});
    }
  }
  return reply;
}

}  // namespace

void migrateShares(pg_conn* connection) {
  PostgresConnection database{connection};
  detail::changeSchema(database, [&] { database.execute(std::string{schemaOfShares()}); });
}

PostgresShare::PostgresShare(std::string database, std::string domain)
    : connection_(std::make_unique<detail::ShareConnection>(std::move(database))),
      domain_(std::move(domain)) {
  if (domain_.empty() || domain_.find('\0') != std::string::npos)
    throw std::invalid_argument{"tally: the domain of a PostgresShare is empty or contains a NUL character"};
}

PostgresShare::~PostgresShare() = default;

std::string PostgresShare::newProcess() {
  std::random_device random;
  std::string name;
  for (int n = 0; n < 32; ++n)
    name += "0123456789abcdef"[random() % 16];
  return name;
}

ShareReply PostgresShare::exchange(const ShareRequest& request) {
  const auto& claims = request.claims;
  const auto& gone = request.vanished;
  return replyOf(connection_->query(
      "SELECT * FROM tally.exchange_shares($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
      {domain_, request.self.process, std::to_string(request.self.beat),
       std::to_string(request.self.lease.count()), request.leaving ? "true" : "false",
       detail::arrayOf(claims, [](const ShareClaim& claim) { return claim.limit; }),
       detail::arrayOf(claims, [](const ShareClaim& claim) { return claim.total; }),
       detail::arrayOf(claims, [](const ShareClaim& claim) { return claim.want; }),
       detail::arrayOf(claims, [](const ShareClaim& claim) { return claim.units; }),
       detail::arrayOf(claims, [](const ShareClaim& claim) { return claim.freedBefore; }),
       detail::arrayOf(gone, [](const ShareProcess& process) { return process.process; }),
       detail::arrayOf(gone, [](const ShareProcess& process) { return process.beat; })}));
}

}  // namespace tally
