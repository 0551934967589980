#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include <tally/id.h>
#include <tally/sqlite_journal.h>

#include "database_file.h"
#include "sqlite_connection.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

using Connection = detail::SqliteConnection;
using Statement = detail::SqliteStatement;

constexpr int applicationId = 0x74616C79;  // `taly`, in the header of the file
constexpr int schemaVersion = 1;

constexpr detail::DatabaseKind journalKind{
    .name = "journal", .throwError = [](const std::string& what, Effect) { throw JournalError{what}; }};

/// A state of the table `reports`, besides `sent`.
struct State {
  ReportEnd end;
  std::string_view text;
};

// Journals outlive versions of this library, so these texts are not those of toString().
constexpr std::array states{State{ReportEnd::applied, "done"}, State{ReportEnd::refused, "refused"},
                            State{ReportEnd::unknown, "unknown"}, State{ReportEnd::unsent, "unsent"}};

constexpr const char* schema = R"(
CREATE TABLE job (source TEXT NOT NULL, account TEXT NOT NULL);
CREATE TABLE reports (row INTEGER PRIMARY KEY, state TEXT NOT NULL, report TEXT NOT NULL, before TEXT, reason TEXT);
)";

std::optional<ReportEnd> endOf(std::string_view text) {
  for (const State& state : states)
    if (state.text == text) return state.end;
  return std::nullopt;
}

std::string_view textOf(ReportEnd end) {
  return std::ranges::find(states, end, &State::end)->text;
}

void check(Connection& connection) {
  if (connection.number("PRAGMA application_id") != applicationId) connection.failAsForeign();
  if (const auto version = connection.number("PRAGMA user_version"); version != schemaVersion)
    connection.fail("has version " + std::to_string(version) + ", but this program writes version " +
                    std::to_string(schemaVersion));
  if (const std::string damage = connection.text("PRAGMA quick_check(1)"); damage != "ok")
    connection.fail("is damaged: " + damage);
}

void create(Connection& connection) {
  detail::SqliteTransaction transaction{connection};
  connection.execute(schema);
  connection.execute(("PRAGMA application_id = " + std::to_string(applicationId)).c_str());
  connection.execute(("PRAGMA user_version = " + std::to_string(schemaVersion)).c_str());
  transaction.commit();
}

/// A file has at least one page: SQLite takes a maximum of 0 for none.
void limitSize(Connection& connection, std::uint64_t maxBytes) {
  if (maxBytes == 0) return;
  const auto pageSize = static_cast<std::uint64_t>(connection.number("PRAGMA page_size"));
  const std::uint64_t pages = std::max<std::uint64_t>(maxBytes / pageSize, 1);
  (void)connection.number(("PRAGMA max_page_count = " + std::to_string(pages)).c_str());
}

/// SQLite's exclusive lock is taken by the first access and kept.
void setUp(Connection& connection, const detail::DatabaseFile& file, const SqliteJournalOptions& options) {
  connection.execute("PRAGMA locking_mode = EXCLUSIVE");
  const bool isNew = connection.number("SELECT count(*) FROM sqlite_master") == 0 &&
                     connection.number("PRAGMA application_id") == 0;
  file.check();
  if (!isNew) check(connection);
  if (const std::string mode = connection.text("PRAGMA journal_mode = WAL"); mode != "wal")
    connection.fail("can't be used: it has no write-ahead log; its journal mode is " + mode);
  // Rows are written and read in sequence, so a small cache suffices: 512 KiB.
  connection.execute("PRAGMA synchronous = FULL; PRAGMA cache_size = -512");
  limitSize(connection, options.maxBytes);
  if (isNew) create(connection);
  detail::SqliteTransaction{connection}.commit();  // takes the lock
}

/// Otherwise, the account of the journal can still be corrected, for example after a run with a wrong key.
bool mayHaveSent(Connection& connection) {
  return connection.number("SELECT count(*) FROM reports WHERE state <> 'unsent'") != 0;
}

}  // namespace

class SqliteJournal::Database {
 public:
  Database(const std::filesystem::path& name, const SqliteJournalOptions& options)
      : file_(journalKind, name), lock_(file_, ".lock"), connection_(file_) {
    setUp(connection_, file_, options);
  }

  [[nodiscard]] Connection& connection() noexcept { return connection_; }

 private:
  detail::DatabaseFile file_;
  detail::DatabaseLock lock_;  // until the connection is closed
  Connection connection_;
};

/// All problems of a journal are reported in one way, by its functions: reportAll() then reports them.
SqliteJournal::SqliteJournal(const std::filesystem::path& path, const SqliteJournalOptions& options) {
  try {
    database_ = std::make_unique<Database>(path, options);
  } catch (const JournalError& error) {
    problem_ = error.what();
  }
}

SqliteJournal::~SqliteJournal() = default;

SqliteJournal::Database& SqliteJournal::database() const {
  if (!database_) throw JournalError{problem_};
  return *database_;
}

void SqliteJournal::open(const JournalOwner& owner) {
  Connection& connection = database().connection();
  Statement query{connection, "SELECT source, account FROM job"};
  if (query.step()) {
    const JournalOwner known{.source = query.text(0), .account = query.text(1)};
    if (known.source != owner.source)
      connection.fail("belongs to another input: '" + known.source + "', not '" + owner.source + '\'');
    if (known.account == owner.account) return;
    if (mayHaveSent(connection))
      connection.fail("belongs to another account; use the key, the URL and the account of its earlier run");
    query.reset();
    Statement{connection, "UPDATE job SET account = ?"}.bind(1, owner.account).run();
    return;
  }
  query.reset();
  Statement insert{connection, "INSERT INTO job VALUES (?, ?)"};
  insert.bind(1, owner.source).bind(2, owner.account).run();
}

void SqliteJournal::write(std::span<const JournalIntent> intents, std::span<const JournalOutcome> outcomes) {
  Connection& connection = database().connection();
  connection.checkPlace();
  Statement intend{connection, "INSERT OR REPLACE INTO reports VALUES (?, 'sent', ?, nullif(?, ''), NULL)"};
  Statement conclude{connection,
                     "UPDATE reports SET state = ?, reason = nullif(?, ''), before = NULL WHERE row = ?"};
  Statement add{connection, "INSERT INTO reports VALUES (?, ?, ?, NULL, nullif(?, ''))"};
  detail::SqliteTransaction transaction{connection};
  for (const JournalOutcome& outcome : outcomes) {
    conclude.bind(1, textOf(outcome.end)).bind(2, outcome.reason).bind(3, outcome.row).run();
    if (connection.changes() == 0)
      add.bind(1, outcome.row)
          .bind(2, textOf(outcome.end))
          .bind(3, outcome.report)
          .bind(4, outcome.reason)
          .run();
  }
  for (const JournalIntent& intent : intents)
    intend.bind(1, intent.row).bind(2, intent.report).bind(3, intent.before).run();
  transaction.commit();
}

std::vector<JournalIntent> SqliteJournal::intents(std::uint64_t row, std::size_t limit) {
  Statement query{
      database().connection(),
      "SELECT row, report, before FROM reports WHERE row >= ? AND state = 'sent' ORDER BY row LIMIT ?"};
  query.bind(1, row).bind(2, limit);
  std::vector<JournalIntent> found;
  while (query.step())
    found.push_back({.row = static_cast<std::uint64_t>(query.number(0)),
                     .report = query.text(1),
                     .before = query.text(2)});
  return found;
}

std::vector<JournalOutcome> SqliteJournal::outcomes(std::uint64_t row, std::size_t limit) {
  Connection& connection = database().connection();
  Statement query{connection,
                  "SELECT row, state, reason, report FROM reports WHERE row >= ? AND state <> 'sent' ORDER "
                  "BY row LIMIT ?"};
  query.bind(1, row).bind(2, limit);
  std::vector<JournalOutcome> found;
  while (query.step()) {
    const auto end = endOf(query.text(1));
    if (!end) connection.fail("is damaged: unknown state '" + query.text(1) + '\'');
    found.push_back({.row = static_cast<std::uint64_t>(query.number(0)),
                     .end = *end,
                     .reason = query.text(2),
                     .report = query.text(3)});
  }
  return found;
}

SqliteJournalState SqliteJournal::state() const {
  Statement query{database().connection(),
                  "SELECT coalesce((SELECT source FROM job), ''), count(*) FILTER (WHERE state = 'sent'),"
                  "  count(*) FILTER (WHERE state NOT IN ('sent', 'unsent')) FROM reports"};
  (void)query.step();  // there is one row
  return {.source = query.text(0),
          .intents = static_cast<std::uint64_t>(query.number(1)),
          .outcomes = static_cast<std::uint64_t>(query.number(2))};
}

std::ostream& operator<<(std::ostream& out, const SqliteJournalState& value) {
  detail::printText(out << "SqliteJournalState{source: ", value.source);
  return out << ", intents: " + std::to_string(value.intents) +
                    ", outcomes: " + std::to_string(value.outcomes) + '}';
}

std::ostream& operator<<(std::ostream& out, const SqliteJournalOptions& value) {
  return out << "SqliteJournalOptions{maxBytes: " + std::to_string(value.maxBytes) + '}';
}

}  // namespace tally
