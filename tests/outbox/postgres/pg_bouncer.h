#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "support/process.h"
#include "wire/temporary_folder.h"

namespace tally::test {

/// A pooler between clients and a server, on a socket in a temporary folder. In transaction mode, and
/// the next transaction of a client has another connection to the server, so that no session lasts.
class PgBouncer {
 public:
  /// The pooler of PostgresServer, which the first call starts; it ends with the program.
  static PgBouncer& instance();

  /// `server`: the folder of its socket. Throws std::runtime_error if the pooler can't be started.
  explicit PgBouncer(const std::filesystem::path& server);

  [[nodiscard]] static bool isInstalled();

  /// Of its socket: `host` in a connection string.
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_.path(); }

  /// The connection string of a database, to which it then has several connections.
  [[nodiscard]] std::string url(const std::string& database) const;

  PgBouncer(const PgBouncer&) = delete;
  PgBouncer& operator=(const PgBouncer&) = delete;

 private:
  TemporaryFolder folder_{};
  std::optional<Process> process_{};
};

}  // namespace tally::test
