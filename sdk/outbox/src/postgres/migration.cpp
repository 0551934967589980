#include <algorithm>
#include <string>
#include <string_view>

#include <tally/detail/report_kinds.h>
#include <tally/outbox_postgres.h>

#include "postgres/embedded_files.h"
#include "postgres/postgres_connection.h"
#include "postgres/schema_change.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

using detail::PostgresConnection;

constexpr int schemaVersion = 1;
constexpr int leastServer = 130'000;  // has xid8 and gen_random_uuid()

std::string_view fileNamed(std::string_view name) {
  return std::ranges::find(detail::embeddedFiles, name, &detail::EmbeddedFile::name)->text;
}

/// The version of the tables; 0 if there are none.
int versionOf(PostgresConnection& connection) {
  if (connection.execute("SELECT to_regclass('tally.schema')").isNull(0, 0)) return 0;
  return std::stoi(std::string{connection.execute("SELECT version FROM tally.schema").text(0, 0)});
}

/// Other encodings can't represent every text that the service accepts.
void checkEncoding(PGconn* connection) {
  const char* const encoding = PQparameterStatus(connection, "server_encoding");
  if (encoding == nullptr || std::string_view{encoding} == "UTF8") return;
  throw OutboxError{
      "the encoding of the database is " + std::string{encoding} + ", but the outbox needs UTF8", {}};
}

void createTables(PostgresConnection& connection) {
  connection.execute(std::string{fileNamed("tables.sql")});
  const std::string version = std::to_string(schemaVersion);
  connection.execute("INSERT INTO tally.schema (version, least_worker_version) VALUES (" + version + ", " +
                     version + ")");
}

/// Keeps kinds that this version does not know, since a newer one may run beside it.
void writeKinds(PostgresConnection& connection) {
  for (const detail::ReportKind& kind : detail::reportKinds()) {
    const auto boolean = [](bool value) { return std::string{value ? "true" : "false"}; };
    const auto result = connection.query(
        "INSERT INTO tally.report_kind VALUES ($1, $2, $3, $4::boolean, $5::boolean, $6::boolean, nullif($7, "
        "''))"
        " ON CONFLICT (id_prefix, outcome) DO UPDATE SET id_pattern = excluded.id_pattern,"
        " takes_time = excluded.takes_time, requires_time = excluded.requires_time,"
        " takes_metadata = excluded.takes_metadata, attempt_prefix = excluded.attempt_prefix",
        {kind.idPrefix, kind.idPattern, kind.outcome, boolean(kind.takesTime), boolean(kind.requiresTime),
         boolean(kind.takesMetadata), kind.attemptPrefix});
    if (!result.isOk()) throw connection.errorOf(result);
  }
}

void migrate(PostgresConnection& connection) {
  const int version = versionOf(connection);
  if (version > schemaVersion)
    throw OutboxError{"the schema tally has version " + std::to_string(version) +
                          ", but this program supports versions up to " + std::to_string(schemaVersion),
                      {}};
  if (version == 0) createTables(connection);
  writeKinds(connection);
  for (const detail::EmbeddedFile& file : detail::embeddedFiles)
    if (!file.name.starts_with("tables")) connection.execute(std::string{file.text});
}

}  // namespace

void migrateOutbox(pg_conn* connection) {
  PostgresConnection database{connection};
  if (database.serverVersion() < leastServer)
    throw OutboxError{"the outbox needs PostgreSQL 13 or later, and an open connection", {}};
  checkEncoding(connection);
  detail::changeSchema(database, [&] { migrate(database); });
}

}  // namespace tally
