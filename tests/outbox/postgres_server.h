#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace tally::test {

/// A PostgreSQL server of this program, on a socket in a temporary folder. Runs as an unprivileged user,
/// since the server refuses to run as root.
class PostgresServer {
 public:
  /// The server, which the first call starts; it ends with the program. Throws std::runtime_error if it can't
  /// be started.
  static PostgresServer& instance();

  /// Whether PostgreSQL is installed.
  [[nodiscard]] static bool isInstalled();

  /// The connection string of a database.
  [[nodiscard]] std::string url(const std::string& database, const std::string& role = "owner") const;

  /// Of its socket: `host` in a connection string.
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

  [[nodiscard]] std::string urlOfNewDatabase();

  /// The connection string of an outbox without contents, which is the only one. Disconnects whoever uses it.
  [[nodiscard]] std::string urlOfEmptyOutbox();

  /// A standby with what has been committed so far. It receives nothing more.
  [[nodiscard]] std::unique_ptr<PostgresServer> newStandby() const;
  /// The same as a server that writes, which can't be told from this one.
  [[nodiscard]] std::unique_ptr<PostgresServer> newCopy() const;
  /// Makes a standby a server that writes, on a timeline of its own.
  void promote() const;

  /// Kills it as a crash would, and starts it again.
  void restart() const;

  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer();

 private:
  PostgresServer();
  PostgresServer(const std::filesystem::path& original, bool isStandby);
  [[nodiscard]] std::string program(const std::string& name) const;
  void run(const std::string& command) const;
  void start() const;

  std::filesystem::path folder_;
  bool hasOutbox_ = false;
  int databases_ = 0;
};

}  // namespace tally::test
