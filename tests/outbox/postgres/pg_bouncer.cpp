#include "outbox/postgres/pg_bouncer.h"

#include <array>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include <pwd.h>
#include <unistd.h>

#include "outbox/postgres_database.h"
#include "outbox/postgres_server.h"

namespace tally::test {

namespace {

const std::filesystem::path program = "/usr/sbin/pgbouncer";

/// The program refuses to run as root.
constexpr const char* unprivileged = "postgres";

}  // namespace

bool PgBouncer::isInstalled() {
  return PostgresServer::isInstalled() && std::filesystem::exists(program);
}

PgBouncer& PgBouncer::instance() {
  static PgBouncer pooler{PostgresServer::instance().folder()};
  return pooler;
}

PgBouncer::PgBouncer(const std::filesystem::path& server) {
  const std::string settings = folder_.write("pgbouncer.ini", "[databases]\n* = host=" + server.string() +
                                                                  " user=owner\n"
                                                                  "[pgbouncer]\n"
                                                                  "auth_type = any\n"
                                                                  "listen_port = 5432\n"
                                                                  "unix_socket_dir = " +
                                                                  folder_.path().string() +
                                                                  "\n"
                                                                  "pool_mode = transaction\n"
                                                                  "default_pool_size = 4\n"
                                                                  "server_round_robin = 1\n"
                                                                  "server_login_retry = 0\n"
                                                                  "log_connections = 0\n"
                                                                  "log_disconnections = 0\n"
                                                                  "log_pooler_errors = 0\n"
                                                                  "log_stats = 0\n");
  std::vector<std::string> arguments{settings};
  if (::geteuid() == 0) {
    const passwd* const user = ::getpwnam(unprivileged);
    if (user == nullptr || ::chown(folder_.path().c_str(), user->pw_uid, user->pw_gid) != 0)
      throw std::runtime_error{"there is no user postgres"};
    arguments = {"--user", unprivileged, settings};
  }
  process_.emplace(program.string(), arguments);
  std::string said;
  for (std::string line = process_->errorLine(); line.find("process up") == std::string::npos;
       line = process_->errorLine()) {
    said += line + '\n';
    if (line.empty()) throw std::runtime_error{"PgBouncer has not started: " + said};
  }
}

std::string PgBouncer::url(const std::string& database) const {
  std::string url = "host=" + folder_.path().string() + " user=owner dbname=" + database;
  std::vector<Session> atOnce;
  for (int connection = 0; connection < 3; ++connection)
    (void)atOnce.emplace_back(url).run("BEGIN");
  for (const Session& one : atOnce)
    (void)one.run("COMMIT");
  return url;
}

}  // namespace tally::test
