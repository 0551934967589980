#include "net/event_loop.h"

#include <algorithm>
#include <csignal>
#include <vector>

#include <boost/asio/post.hpp>

namespace tally::fake::detail {

using std::chrono::milliseconds;

namespace {

/// OpenSSL writes to sockets in a way that raises SIGPIPE once the peer has gone.
void blockBrokenPipes() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

EventLoop::EventLoop(Hub& hub) : hub_(hub) {}

EventLoop::~EventLoop() = default;

void EventLoop::start() {
  watch();
  thread_ = std::thread{[this] {
    blockBrokenPipes();
    context_->run();
  }};
}

void EventLoop::adopt(const std::shared_ptr<LoopConnection>& connection) {
  connections_.emplace(connection.get(), connection);
  ++hub_.traffic.accepted;
  ++hub_.traffic.connections;
  connection->start();
}

void EventLoop::forget(LoopConnection* connection) {
  connections_.erase(connection);
  --hub_.traffic.connections;
  hub_.onClosed();
  if (stopping_ && connections_.empty()) watchdog_.cancel();
}

/// A single timer checks the deadlines of all connections, as one timer per connection would have to be set
/// again for every request.
void EventLoop::watch() {
  const milliseconds shortest =
      std::min({hub_.options.requestTimeout, hub_.options.idleTimeout, hub_.options.drain});
  watchdog_.expires_after(std::clamp(shortest / 8, milliseconds{1}, milliseconds{250}));
  watchdog_.async_wait([this](const boost::system::error_code&) {
    if (stopping_ && connections_.empty()) return;
    closeOverdue();
    watch();
  });
}

void EventLoop::closeOverdue() {
  const auto now = SteadyClock::now();
  const bool all = stopping_ && now >= drained_;
  std::vector<std::shared_ptr<LoopConnection>> overdue;
  for (const auto& [key, connection] : connections_)
    if (all || connection->deadline() <= now) overdue.push_back(connection);
  for (const auto& connection : overdue)
    connection->close();
}

void EventLoop::beginStop() {
  boost::asio::post(*context_, [this] {
    stopping_ = true;
    drained_ = timeAfter(hub_.options.drain);
    std::vector<std::shared_ptr<LoopConnection>> open;
    open.reserve(connections_.size());
    for (const auto& [key, connection] : connections_)
      open.push_back(connection);
    for (const auto& connection : open)
      connection->endSoon();
    if (connections_.empty()) watchdog_.cancel();
  });
}

void EventLoop::join() {
  if (thread_.joinable()) thread_.join();
}

}  // namespace tally::fake::detail
