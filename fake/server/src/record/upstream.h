#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "record/upstream_connection.h"

namespace tally::fake::detail {

/// The connections to the upstream of one loop, in whose thread it is used. They are kept alive.
class Upstream {
 public:
  /// The arguments must outlive this. From `giveUpAt` on, requests fail.
  Upstream(boost::asio::io_context& loop, const UpstreamOptions& options,
           const std::atomic<SteadyClock::time_point>& giveUpAt)
      : loop_(loop), options_(options), giveUpAt_(giveUpAt), watchdog_(loop.get_executor()) {}
  Upstream(const Upstream&) = delete;
  Upstream& operator=(const Upstream&) = delete;

  /// Calls `done` once, after this returns.
  void send(UpstreamRequest request, UpstreamConnection::Done done);

 private:
  using Kept = std::shared_ptr<UpstreamConnection>;

  [[nodiscard]] Kept connection();
  void sendThrough(const Kept& connection, UpstreamRequest request, UpstreamConnection::Done done);
  void ended(const Kept& connection);
  void watch();
  void abortOverdue();
  [[nodiscard]] bool isStopped() const { return SteadyClock::now() >= giveUpAt_.load(); }

  boost::asio::io_context& loop_;
  const UpstreamOptions& options_;
  const std::atomic<SteadyClock::time_point>& giveUpAt_;
  std::vector<Kept> idle_{};  // the one used last at the end
  std::unordered_set<Kept> busy_{};
  Timer watchdog_;
  bool watching_ = false;
};

}  // namespace tally::fake::detail
