#include "postgres/postgres_connection.h"

#include <stdexcept>
#include <vector>

namespace tally::detail {

namespace {

/// libpq ends its messages with line breaks, and continues them with tabs.
std::string inOneLine(std::string_view text) {
  std::string line;
  for (const char c : text.substr(0, text.find_last_not_of(" \n") + 1)) {
    const bool isSpace = c == ' ' || c == '\n' || c == '\t';
    if (!isSpace || (!line.empty() && line.back() != ' ')) line += isSpace ? ' ' : c;
  }
  return line;
}

/// What to do about an error if the server's hint would not help. Empty: nothing is known.
std::string adviceOn(std::string_view state, const std::string& what, const char* role) {
  const bool isAboutSchema = what.find("tally") != std::string::npos;
  if (state == "25006")  // read_only_sql_transaction
    return "The server is a standby, or default_transaction_read_only is on. If the connection string names "
           "several hosts, add target_session_attrs=read-write";
  if (isAboutSchema && (state == "42P01" || state == "42883" || state == "3F000"))  // undefined
    return "The database must first be migrated by this version";
  if (what == "permission denied for schema tally")
    return "The owner of the schema can grant rights, such as SELECT tally.allow('" + std::string{role} +
           "', 'read')";
  return {};
}

}  // namespace

bool PostgresResult::isOk() const {
  const ExecStatusType status = PQresultStatus(result_.get());
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

std::string_view PostgresResult::text(int row, int column) const {
  const int length = PQgetlength(result_.get(), row, column);
  return {PQgetvalue(result_.get(), row, column), static_cast<std::size_t>(length)};
}

std::string PostgresResult::errorField(int code) const {
  const char* const text = result_ == nullptr ? nullptr : PQresultErrorField(result_.get(), code);
  return text == nullptr ? std::string{} : std::string{text};
}

PostgresConnection::PostgresConnection(PGconn* connection) : connection_(connection) {
  if (connection == nullptr) throw std::invalid_argument{"tally: the connection to PostgreSQL is null"};
  const char* const encoding = PQparameterStatus(connection, "client_encoding");  // null if it is closed
  if (encoding != nullptr && std::string_view{encoding} != "UTF8")
    throw OutboxError{"the client_encoding of the connection is " + std::string{encoding} +
                          ": set it to UTF8, since strings are sent in UTF-8",
                      {}};
}

PostgresResult PostgresConnection::execute(const std::string& sql) {
  PostgresResult result{PQexec(connection_, sql.c_str())};
  if (!result.isOk()) throw errorOf(result);
  return result;
}

PostgresResult PostgresConnection::query(const char* sql,
                                         std::initializer_list<std::optional<std::string>> parameters) {
  std::vector<const char*> values;
  for (const auto& parameter : parameters) {
    if (parameter && parameter->find('\0') != std::string::npos)
      throw OutboxError{"a text contains a NUL character, which PostgreSQL does not support", {}};
    values.push_back(parameter ? parameter->c_str() : nullptr);
  }
  return PostgresResult{PQexecParams(connection_, sql, static_cast<int>(values.size()), nullptr,
                                     values.data(), nullptr, nullptr, 0)};
}

OutboxError PostgresConnection::errorOf(const PostgresResult& result) const {
  std::string what = result.errorField(PG_DIAG_MESSAGE_PRIMARY);
  if (what.empty()) what = PQerrorMessage(connection_);
  const std::string state = result.errorField(PG_DIAG_SQLSTATE);
  std::string hint = state.empty() ? "" : adviceOn(state, what, PQuser(connection_));
  if (hint.empty()) hint = result.errorField(PG_DIAG_MESSAGE_HINT);
  if (!hint.empty()) what += ". " + hint;
  return OutboxError{inOneLine(what), state};
}

}  // namespace tally::detail
