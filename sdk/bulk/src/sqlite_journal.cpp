#include <array>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include <tally/sqlite_journal.h>

#include <sqlite3.h>

namespace tally {

namespace {

constexpr int applicationId = 0x74616C79;  // `taly`, in the header of the file
constexpr int schemaVersion = 1;
constexpr std::int64_t pageSize = 4'096;

// States of the table `reports`.
constexpr std::string_view sentState = "sent";
constexpr std::array ends{ReportEnd::done, ReportEnd::refused, ReportEnd::unknown, ReportEnd::unsent};

constexpr const char* schema = R"(
CREATE TABLE job (source TEXT NOT NULL, account TEXT NOT NULL);
CREATE TABLE reports (row INTEGER PRIMARY KEY, state TEXT NOT NULL, report TEXT NOT NULL, before TEXT, reason TEXT);
)";

}  // namespace

/// A connection, and the statements that are used often.
class SqliteJournal::Database {
 public:
  Database(const std::filesystem::path& path, const SqliteJournalOptions& options) : path_(path.string()) {
    const int opened =
        sqlite3_open_v2(path.c_str(), &database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    if (opened != SQLITE_OK) failAndClose("can't be opened");
    try {
      setUp(options);
    } catch (...) {
      close();
      throw;
    }
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() { close(); }

  /// Executes statements without results.
  void execute(const char* sql) {
    if (sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }

  /// The integer that a statement returns.
  std::int64_t number(const char* sql);

  [[noreturn]] void fail() const {
    const int code = sqlite3_errcode(database_) & 0xFF;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) fail("is in use by another process");
    if (code == SQLITE_NOTADB) fail("is not a journal of tally");
    if (code == SQLITE_CORRUPT) fail("is damaged: " + std::string{sqlite3_errmsg(database_)});
    fail("can't be used: " + std::string{sqlite3_errmsg(database_)});
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw JournalError{"the journal " + path_ + ' ' + what};
  }

  [[nodiscard]] sqlite3* get() const noexcept { return database_; }

 private:
  void setUp(const SqliteJournalOptions& options);
  void check();
  void create();
  [[noreturn]] void failAndClose(const std::string& what);
  void close() noexcept {
    sqlite3_close_v2(database_);
    database_ = nullptr;
  }

  std::string path_;
  sqlite3* database_ = nullptr;
};

namespace {

class Statement {
 public:
  template <class Database>
  Statement(Database& database, const char* sql) {
    if (sqlite3_prepare_v3(database.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &statement_, nullptr) !=
        SQLITE_OK)
      database.fail();
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  /// The text must live until the statement is reset.
  Statement& bind(int at, std::string_view text) {
    sqlite3_bind_text(statement_, at, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
    return *this;
  }
  Statement& bind(int at, std::uint64_t number) {
    sqlite3_bind_int64(statement_, at, static_cast<std::int64_t>(number));
    return *this;
  }

  /// Whether there is a row.
  template <class Database>
  [[nodiscard]] bool step(Database& database) {
    const int result = sqlite3_step(statement_);
    if (result != SQLITE_ROW && result != SQLITE_DONE) {
      sqlite3_reset(statement_);
      database.fail();
    }
    return result == SQLITE_ROW;
  }
  template <class Database>
  void run(Database& database) {
    (void)step(database);
    sqlite3_reset(statement_);
  }
  void reset() { sqlite3_reset(statement_); }

  [[nodiscard]] std::string text(int column) const {
    const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return text == nullptr
               ? std::string{}
               : std::string{text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }
  [[nodiscard]] std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

std::optional<ReportEnd> endOf(std::string_view state) {
  for (const ReportEnd end : ends)
    if (toString(end) == state) return end;
  return std::nullopt;
}

}  // namespace

std::int64_t SqliteJournal::Database::number(const char* sql) {
  Statement statement{*this, sql};
  return statement.step(*this) ? statement.number(0) : 0;
}

/// The exclusive lock is taken by the first access and kept. A process that ends loses it, even if killed.
void SqliteJournal::Database::setUp(const SqliteJournalOptions& options) {
  execute("PRAGMA locking_mode = EXCLUSIVE");
  const bool isNew =
      number("SELECT count(*) FROM sqlite_master") == 0 && number("PRAGMA application_id") == 0;
  if (!isNew) check();
  // Rows are written and read in sequence, so a small cache suffices: 512 KiB.
  execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -512");
  if (options.maxBytes != 0) {
    const auto pages = static_cast<std::int64_t>(options.maxBytes) / pageSize;
    (void)number(("PRAGMA max_page_count = " + std::to_string(pages)).c_str());
  }
  if (isNew) create();
  execute("BEGIN IMMEDIATE; COMMIT");  // takes the lock
}

void SqliteJournal::Database::check() {
  if (number("PRAGMA application_id") != applicationId) fail("is not a journal of tally");
  if (const auto version = number("PRAGMA user_version"); version != schemaVersion)
    fail("is of version " + std::to_string(version) + ", and this program writes version " +
         std::to_string(schemaVersion));
  Statement check{*this, "PRAGMA quick_check(1)"};
  if (check.step(*this) && check.text(0) != "ok") fail("is damaged: " + check.text(0));
}

void SqliteJournal::Database::create() {
  const std::string sql = "BEGIN IMMEDIATE;" + std::string{schema} +
                          "PRAGMA application_id = " + std::to_string(applicationId) +
                          "; PRAGMA user_version = " + std::to_string(schemaVersion) + "; COMMIT";
  execute(sql.c_str());
}

void SqliteJournal::Database::failAndClose(const std::string& what) {
  const std::string message = sqlite3_errmsg(database_);
  close();
  fail(what + ": " + message);
}

SqliteJournal::SqliteJournal(const std::filesystem::path& path, const SqliteJournalOptions& options)
    : database_(std::make_unique<Database>(path, options)) {}

SqliteJournal::~SqliteJournal() = default;

void SqliteJournal::open(const JournalOwner& owner) {
  Database& database = *database_;
  Statement query{database, "SELECT source, account FROM job"};
  if (query.step(database)) {
    const JournalOwner known{.source = query.text(0), .account = query.text(1)};
    if (known.source != owner.source)
      database.fail("belongs to another input: '" + known.source + "', not '" + owner.source + '\'');
    if (known.account != owner.account) database.fail("belongs to another account");
    return;
  }
  query.reset();
  Statement insert{database, "INSERT INTO job VALUES (?, ?)"};
  insert.bind(1, owner.source).bind(2, owner.account).run(database);
}

void SqliteJournal::write(std::span<const JournalIntent> intents, std::span<const JournalOutcome> outcomes) {
  Database& database = *database_;
  Statement intend{database, "INSERT OR REPLACE INTO reports VALUES (?, 'sent', ?, nullif(?, ''), NULL)"};
  Statement conclude{database,
                     "UPDATE reports SET state = ?, reason = nullif(?, ''), before = NULL WHERE row = ?"};
  Statement add{database, "INSERT INTO reports VALUES (?, ?, ?, NULL, nullif(?, ''))"};
  database.execute("BEGIN IMMEDIATE");
  try {
    for (const JournalOutcome& outcome : outcomes) {
      conclude.bind(1, toString(outcome.end)).bind(2, outcome.reason).bind(3, outcome.row).run(database);
      if (sqlite3_changes(database.get()) == 0)
        add.bind(1, outcome.row)
            .bind(2, toString(outcome.end))
            .bind(3, outcome.report)
            .bind(4, outcome.reason)
            .run(database);
    }
    for (const JournalIntent& intent : intents)
      intend.bind(1, intent.row).bind(2, intent.report).bind(3, intent.before).run(database);
    database.execute("COMMIT");
  } catch (const JournalError&) {
    if (sqlite3_get_autocommit(database.get()) == 0)
      sqlite3_exec(database.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

std::vector<JournalIntent> SqliteJournal::intents(std::uint64_t row, std::size_t limit) {
  Statement query{
      *database_,
      "SELECT row, report, before FROM reports WHERE row >= ? AND state = 'sent' ORDER BY row LIMIT ?"};
  query.bind(1, row).bind(2, limit);
  std::vector<JournalIntent> found;
  while (query.step(*database_))
    found.push_back({.row = static_cast<std::uint64_t>(query.number(0)),
                     .report = query.text(1),
                     .before = query.text(2)});
  return found;
}

std::vector<JournalOutcome> SqliteJournal::outcomes(std::uint64_t row, std::size_t limit) {
  Statement query{*database_,
                  "SELECT row, state, reason, report FROM reports WHERE row >= ? AND state <> 'sent' ORDER "
                  "BY row LIMIT ?"};
  query.bind(1, row).bind(2, limit);
  std::vector<JournalOutcome> found;
  while (query.step(*database_)) {
    const auto end = endOf(query.text(1));
    if (!end) database_->fail("is damaged: unknown state '" + query.text(1) + '\'');
    found.push_back({.row = static_cast<std::uint64_t>(query.number(0)),
                     .end = *end,
                     .reason = query.text(2),
                     .report = query.text(3)});
  }
  return found;
}

std::ostream& operator<<(std::ostream& out, const SqliteJournalOptions& value) {
  return out << "SqliteJournalOptions{maxBytes: " + std::to_string(value.maxBytes) + '}';
}

}  // namespace tally
