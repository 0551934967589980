#include "loop.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/asio/post.hpp>

#include "connection.h"

namespace tally::fake::detail {

using std::chrono::milliseconds;

Loop::Loop(Hub& hub) : hub_(hub) {}

Loop::~Loop() = default;

void Loop::start() {
  watch();
  thread_ = std::thread{[this] { context_.run(); }};
}

void Loop::adopt(Socket socket) {
  boost::asio::post(context_, [this, taken = std::move(socket)]() mutable {
    const auto connection = std::make_shared<Connection>(*this, std::move(taken));
    connections_.emplace(connection.get(), connection);
    connection->start();
  });
}

void Loop::forget(Connection* connection) {
  connections_.erase(connection);
  hub_.onClosed();
  if (stopping_ && connections_.empty()) watchdog_.cancel();
}

/// A single timer checks the deadlines of all connections, as one timer per connection would have to be set
/// again for every request.
void Loop::watch() {
  const milliseconds shortest =
      std::min({hub_.options.requestTimeout, hub_.options.idleTimeout, hub_.options.drain});
  watchdog_.expires_after(std::clamp(shortest / 8, milliseconds{1}, milliseconds{250}));
  watchdog_.async_wait([this](const boost::system::error_code&) {
    if (stopping_ && connections_.empty()) return;
    closeOverdue();
    watch();
  });
}

void Loop::closeOverdue() {
  const auto now = SteadyClock::now();
  const bool all = stopping_ && now >= drained_;
  std::vector<std::shared_ptr<Connection>> overdue;
  for (const auto& [key, connection] : connections_)
    if (all || connection->deadline() <= now) overdue.push_back(connection);
  for (const auto& connection : overdue)
    connection->close();
}

void Loop::beginStop() {
  boost::asio::post(context_, [this] {
    stopping_ = true;
    drained_ = SteadyClock::now() + hub_.options.drain;
    std::vector<std::shared_ptr<Connection>> open;
    for (const auto& [key, connection] : connections_)
      open.push_back(connection);
    for (const auto& connection : open)
      connection->endSoon();
    if (connections_.empty()) watchdog_.cancel();
  });
}

void Loop::join() {
  if (thread_.joinable()) thread_.join();
}

}  // namespace tally::fake::detail
