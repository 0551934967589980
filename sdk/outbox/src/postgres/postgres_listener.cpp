#include "postgres/postgres_listener.h"

#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace tally::detail {

namespace {

constexpr int reconnectAfter = 5'000;  // milliseconds

}  // namespace

PostgresListener::PostgresListener(std::string url, std::function<void(std::string_view domain)> wake)
    : wake_(std::move(wake)), database_(std::move(url)) {
  if (::pipe2(stop_.data(), O_CLOEXEC) != 0) throw std::system_error{errno, std::generic_category(), "pipe2"};
  thread_ = std::thread{[this] { run(); }};
}

PostgresListener::~PostgresListener() {
  ::close(std::exchange(stop_[1], -1));  // the other end becomes readable
  thread_.join();
  ::close(stop_[0]);
}

/// False if this is to end.
bool PostgresListener::awaitInput(int socket, int milliseconds) const {
  std::array<pollfd, 2> ends{pollfd{.fd = stop_[0], .events = POLLIN, .revents = 0},
                             pollfd{.fd = socket, .events = POLLIN, .revents = 0}};
  (void)::poll(ends.data(), ends.size(), milliseconds);
  return ends[0].revents == 0;
}

void PostgresListener::run() {
  do {
    try {
      listen();
    } catch (const std::exception&) {
      database_.disconnect();
    }
  } while (awaitInput(-1, reconnectAfter));
}

void PostgresListener::listen() {
  (void)database_.query("LISTEN tally", {});
  PGconn* const connection = database_.connection();
  const auto notification = [&] {
    return std::unique_ptr<PGnotify, decltype(&PQfreemem)>{PQnotifies(connection), &PQfreemem};
  };
  while (awaitInput(PQsocket(connection), -1)) {
    if (PQconsumeInput(connection) == 0) return database_.disconnect();
    while (const auto one = notification())
      wake_(one->extra);
  }
}

}  // namespace tally::detail
