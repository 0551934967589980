#include "postgres/postgres_listener.h"

#include <memory>
#include <utility>

namespace tally::detail {

namespace {

constexpr std::chrono::milliseconds reconnectAfter{5'000};

}  // namespace

PostgresListener::PostgresListener(std::string url, std::function<void(std::string_view domain)> wake)
    : wake_(std::move(wake)), database_(std::move(url)) {
  thread_ = std::thread{[this] { run(); }};
}

PostgresListener::~PostgresListener() {
  wait_.stop();
  thread_.join();
}

void PostgresListener::run() {
  do {
    try {
      listen();
    } catch (const std::exception&) {
      database_.disconnect();
    }
  } while (wait_.pause(reconnectAfter));
}

void PostgresListener::listen() {
  (void)database_.query("LISTEN tally", {});
  PGconn* const connection = database_.connection();
  const auto notification = [&] {
    return std::unique_ptr<PGnotify, decltype(&PQfreemem)>{PQnotifies(connection), &PQfreemem};
  };
  while (wait_.awaitInput(PQsocket(connection))) {
    if (PQconsumeInput(connection) == 0) return database_.disconnect();
    while (const auto one = notification())
      wake_(one->extra);
  }
}

}  // namespace tally::detail
