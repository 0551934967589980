// A shop marks an order as failed and enqueues the report in one transaction of its database. It crashes at
// each step of a sale. A worker then reports what was committed, once, and nothing else.

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tally/fake/service.h>
#include <tally/outbox.h>
#include <tally/outbox_sqlite.h>
#include <tally/tally.h>

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr std::chrono::sys_seconds now{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

using Database = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;

Database open(const std::string& file) {
  sqlite3* database = nullptr;
  if (sqlite3_open(file.c_str(), &database) != SQLITE_OK) throw std::runtime_error{"no database"};
  return {database, &sqlite3_close};
}

void execute(sqlite3* database, const std::string& sql) {
  if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    throw std::runtime_error{sqlite3_errmsg(database)};
}

std::string stateOf(sqlite3* database, const std::string& order) {
  std::string state;
  const auto read = [](void* into, int, char** values, char**) {
    *static_cast<std::string*>(into) = values[0];
    return 0;
  };
  const std::string sql = "SELECT state FROM orders WHERE number = " + order;
  sqlite3_exec(database, sql.c_str(), read, &state, nullptr);
  return state;
}

/// What a request to the web shop does. `crash` is the step after which the process dies.
void failOrder(const std::string& file, const std::string& order, const std::string& payment,
               std::string_view crash) {
  const auto step = [crash](std::string_view name) {
    if (name == crash) _exit(EXIT_FAILURE);  // as SIGKILL does
  };
  const Database database = open(file);
  execute(database.get(), "BEGIN IMMEDIATE; UPDATE orders SET state = 'failed' WHERE number = " + order);
  step("crash after update");
  (void)tally::enqueue(
      database.get(), "shop",
      {.report = {.id = payment, .outcome = "failed", .time = now, .metadata = {{"order", order}}},
       .key = "order-" + order})
      .value();
  step("crash after enqueue");
  execute(database.get(), "COMMIT");
  step("crash after commit");
}

void failOrderInProcess(const std::string& file, const std::string& order, const std::string& payment,
                        std::string_view crash) {
  const pid_t process = fork();
  if (process == 0) {
    failOrder(file, order, payment, crash);
    _exit(EXIT_SUCCESS);
  }
  waitpid(process, nullptr, 0);
}

/// Sends what waits in the outbox.
void work(const std::string& outbox, const tally::ClientOptions& client, int reports) {
  tally::StopSource stop;
  tally::OutboxOptions options{.domains = {{.name = "shop", .client = client}}};
  options.domains[0].client.timeout = options.lease / 2;
  options.onEvent = [&](const tally::OutboxEvent& event) {
    if (event.kind == tally::OutboxEvent::Kind::reportApplied && --reports == 0) stop.request_stop();
  };
  tally::Outbox{outbox, options}.run(stop.get_token());
}

}  // namespace

int main() {
  std::string folder = std::filesystem::temp_directory_path() / "tally-shop-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return EXIT_FAILURE;
  const std::string file = folder + "/shop.db";
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto client = service.clientOptions(key);
  {
    const Database database = open(file);
    execute(database.get(), "CREATE TABLE orders (number INTEGER PRIMARY KEY, state TEXT)");
    tally::migrateOutbox(database.get());
  }

  const std::string_view crashes[] = {"crash after update", "crash after enqueue", "crash after commit",
                                      "no crash"};
  std::string payments[4];
  for (int at = 0; at < 4; ++at) {
    const std::string order = std::to_string(at + 1);
    payments[at] = service.insert<tally::PaymentRecord>(key).id.str();
    execute(open(file).get(), "INSERT INTO orders VALUES (" + order + ", 'paid')");
    failOrderInProcess(file, order, payments[at], crashes[at]);
  }
  work("sqlite:" + file, client, 2);  // the other two were not committed

  const Database database = open(file);
  const tally::Client reader{client};
  bool agree = true;
  for (int at = 0; at < 4; ++at) {
    const std::string state = stateOf(database.get(), std::to_string(at + 1));
    const auto payment = reader.paymentRecords().retrieve(payments[at]).value();
    const bool isReported = payment.metadata.contains("order");
    agree = agree && (state == "failed") == isReported;
    std::cout << std::left << std::setw(22) << crashes[at] << "order " << state << ", "
              << (isReported ? "reported" : "not reported") << '\n';
  }
  std::cout << (agree ? "the shop and the service agree" : "the shop and the service disagree") << '\n';
  std::filesystem::remove_all(folder);
  return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}
