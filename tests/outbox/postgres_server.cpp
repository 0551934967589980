#include "postgres_server.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <tally/outbox_postgres.h>

#include <libpq-fe.h>
#include <unistd.h>

namespace tally::test {

namespace {

namespace fs = std::filesystem;

/// The folder of the programs of the newest version; empty if there is none.
fs::path programs() {
  const fs::path versions = "/usr/lib/postgresql";
  std::vector<fs::path> found;
  if (fs::is_directory(versions))
    for (const auto& version : fs::directory_iterator{versions})
      if (fs::exists(version.path() / "bin/initdb")) found.push_back(version.path() / "bin");
  return found.empty() ? fs::path{} : *std::ranges::max_element(found);
}

std::string contentsOf(const fs::path& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// In /tmp, since the path of a socket has at most 107 characters.
fs::path makeFolder() {
  std::string name = "/tmp/tally-postgres-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error{"no temporary folder could be made"};
  return name;
}

/// The command line begins with it. The server refuses to run as root.
std::string unprivileged() {
  return ::geteuid() == 0 ? "runuser -u postgres -- " : "";
}

}  // namespace

PostgresServer& PostgresServer::instance() {
  static PostgresServer server;
  return server;
}

bool PostgresServer::isInstalled() {
  return !programs().empty();
}

/// A command line that begins with one of PostgreSQL's programs.
std::string PostgresServer::program(const std::string& name) const {
  return unprivileged() + (programs() / name).string() + " --pgdata=" + (folder_ / "data").string();
}

PostgresServer::PostgresServer() : folder_(makeFolder()) {
  if (::geteuid() == 0) run("chown postgres " + folder_.string());
  run(program("initdb") + " --auth=trust --username=owner --no-sync --encoding=UTF8 --locale=C");
  start();
}

PostgresServer::PostgresServer(const fs::path& original, bool isStandby) : folder_(makeFolder()) {
  if (::geteuid() == 0) run("chown postgres " + folder_.string());
  run(program("pg_basebackup") + " --host=" + original.string() +
      " --username=owner --checkpoint=fast --no-sync");
  if (isStandby) run(unprivileged() + "touch " + (folder_ / "data/standby.signal").string());
  start();
}

std::unique_ptr<PostgresServer> PostgresServer::newStandby() const {
  return std::unique_ptr<PostgresServer>{new PostgresServer{folder_, true}};
}

std::unique_ptr<PostgresServer> PostgresServer::newCopy() const {
  return std::unique_ptr<PostgresServer>{new PostgresServer{folder_, false}};
}

void PostgresServer::promote() const {
  run(program("pg_ctl") + " --wait promote");
}

/// The server need not survive the loss of power. A statement ends soon after a test that was killed.
void PostgresServer::start() const {
  run(program("pg_ctl") + " --wait --log=" + (folder_ / "data/log").string() + " --options='-k " +
      folder_.string() +
      " -c listen_addresses= -c fsync=off -c max_connections=100 -c client_connection_check_interval=1s' "
      "start");
}

namespace {

using Connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;

Connection connectTo(const std::string& url) {
  return {PQconnectdb(url.c_str()), &PQfinish};
}

void execute(const Connection& connection, const char* sql) {
  const std::unique_ptr<PGresult, decltype(&PQclear)> result{PQexec(connection.get(), sql), &PQclear};
  const ExecStatusType status = PQresultStatus(result.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
    throw std::runtime_error{PQerrorMessage(connection.get())};
}

}  // namespace

std::string PostgresServer::urlOfNewDatabase() {
  const std::string name = "test" + std::to_string(++databases_);
  execute(connectTo(url("postgres")), ("CREATE DATABASE " + name).c_str());
  return url(name);
}

std::string PostgresServer::urlOfEmptyOutbox() {
  if (!std::exchange(hasOutbox_, true)) {
    execute(connectTo(url("postgres")), "CREATE DATABASE outbox");
    migrateOutbox(connectTo(url("outbox")).get());
  }
  execute(connectTo(url("outbox")), R"(
DO $$
DECLARE
  one name;
BEGIN
  PERFORM pg_terminate_backend(pid, 1000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid();
  PERFORM set_config('session_replication_role', 'replica', true); -- no trigger prevents it
  EXECUTE (SELECT 'TRUNCATE ' || string_agg(c.oid::regclass::text, ', ') || ' RESTART IDENTITY' FROM pg_class c
            WHERE c.relnamespace = 'tally'::regnamespace AND c.relkind = 'r'
              AND c.relname NOT IN ('schema', 'report_kind'));
  ALTER SEQUENCE tally.report_id RESTART;
  UPDATE tally.schema SET notifies = false;
  FOR one IN SELECT rolname FROM pg_roles WHERE rolname LIKE 'shop%' LOOP
    EXECUTE format('REVOKE ALL ON SCHEMA tally FROM %I', one);
  END LOOP;
END $$)");
  return url("outbox");
}

void PostgresServer::restart() const {
  run(program("pg_ctl") + " --mode=immediate --wait stop");
  start();
}

PostgresServer::~PostgresServer() {
  const std::string stop = program("pg_ctl") + " --mode=immediate --wait stop > /dev/null 2>&1";
  (void)std::system(stop.c_str());
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void PostgresServer::run(const std::string& command) const {
  const fs::path output = folder_.string() + ".output";
  const int status = std::system((command + " > " + output.string() + " 2>&1 < /dev/null").c_str());
  const std::string said = contentsOf(output);
  fs::remove(output);
  if (status != 0) throw std::runtime_error{command + ": " + said};
}

std::string PostgresServer::url(const std::string& database, const std::string& role) const {
  return "host=" + folder_.string() + " user=" + role + " dbname=" + database;
}

}  // namespace tally::test
