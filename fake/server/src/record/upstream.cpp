#include "record/upstream.h"

#include <chrono>
#include <utility>

namespace tally::fake::detail {

namespace {

constexpr std::size_t mostIdle = 256;
constexpr std::chrono::milliseconds watchInterval{100};

}  // namespace

void Upstream::send(UpstreamRequest request, UpstreamConnection::Done done) {
  sendThrough(connection(), std::move(request), std::move(done));
}

Upstream::Kept Upstream::connection() {
  while (!idle_.empty()) {
    Kept kept = std::move(idle_.back());
    idle_.pop_back();
    if (kept->isUsable()) return kept;
  }
  return std::make_shared<UpstreamConnection>(loop_, options_);
}

/// A read is sent once more, on a new connection, if the upstream closed the old one at the same moment.
void Upstream::sendThrough(const Kept& connection, UpstreamRequest request, UpstreamConnection::Done done) {
  busy_.insert(connection);
  watch();
  UpstreamRequest again = request.isRead ? request : UpstreamRequest{};
  connection->send(std::move(request), [this, connection, kept = std::move(again),
                                        done = std::move(done)](UpstreamOutcome outcome) mutable {
    ended(connection);
    if (!outcome.silent || !kept.isRead || isStopped()) return done(std::move(outcome));
    sendThrough(std::make_shared<UpstreamConnection>(loop_, options_), std::move(kept), std::move(done));
  });
}

void Upstream::ended(const Kept& connection) {
  busy_.erase(connection);
  if (idle_.size() < mostIdle) idle_.push_back(connection);
}

/// One timer for all requests, and none while there is no request.
void Upstream::watch() {
  if (std::exchange(watching_, true)) return;
  watchdog_.expires_after(watchInterval);
  watchdog_.async_wait([this](const boost::system::error_code&) {
    watching_ = false;
    abortOverdue();
    if (!busy_.empty()) watch();
  });
}

void Upstream::abortOverdue() {
  const auto now = SteadyClock::now();
  std::vector<Kept> overdue;
  for (const Kept& connection : busy_)
    if (isStopped() || connection->deadline() <= now) overdue.push_back(connection);
  for (const Kept& connection : overdue)
    connection->abort(isStopped() ? "the recorder was stopped"
                                  : "no response from " + options_.url.authority + " in time");
}

}  // namespace tally::fake::detail
