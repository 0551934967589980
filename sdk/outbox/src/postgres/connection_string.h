#pragma once

#include <memory>
#include <span>
#include <string>

#include <libpq-fe.h>

namespace tally::detail {

struct FinishConnection {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
using OwnConnection = std::unique_ptr<PGconn, FinishConnection>;

/// An option of a connection string, such as `connect_timeout`.
struct ConnectionOption {
  const char* keyword = nullptr;
  const char* value = nullptr;
};

/// Throws std::invalid_argument for what libpq would refuse in words that contain a part of the password: a
/// string that it can't read, or in which it mistakes a part of the password for a host, a port or the name
/// of a database.
void checkConnectionString(const std::string& text);

/// Connects as the string says, with `defaults`, at most 4, for what it leaves open. Whatever it says, texts
/// are sent as UTF-8. Notices, which libpq prints on standard error, are discarded. PQstatus() tells whether
/// there is a connection; null if the memory does not suffice.
[[nodiscard]] OwnConnection openConnection(const std::string& text,
                                           std::span<const ConnectionOption> defaults);

}  // namespace tally::detail
