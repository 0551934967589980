#pragma once

#include <optional>
#include <string>

#include "support/process.h"
#include "wire/temporary_folder.h"

namespace tally::test {

/// A pooler between clients and PostgresServer, on a socket in a temporary folder. In transaction mode, and
/// the next transaction of a client has another connection to the server, so that no session lasts.
class PgBouncer {
 public:
  /// The pooler, which the first call starts; it ends with the program. Throws std::runtime_error if it can't
  /// be started.
  static PgBouncer& instance();

  [[nodiscard]] static bool isInstalled();

  /// The connection string of a database, to which it then has several connections.
  [[nodiscard]] std::string url(const std::string& database) const;

  PgBouncer(const PgBouncer&) = delete;
  PgBouncer& operator=(const PgBouncer&) = delete;

 private:
  PgBouncer();

  TemporaryFolder folder_{};
  std::optional<Process> process_{};
};

}  // namespace tally::test
