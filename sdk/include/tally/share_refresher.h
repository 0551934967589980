#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <thread>

#include <tally/clock.h>
#include <tally/pacer.h>
#include <tally/stop_token.h>

namespace [[gnu::visibility("default")]] tally {

/// Refreshes the share of a Pacer in its own thread, about once a second, until it is destroyed. A pacer
/// with PacerOptions::share needs one, or a thread that calls Pacer::refreshShare() at the times that it
/// returns. Not thread-safe.
class ShareRefresher {
 public:
  /// `clock` must be that of the pacer's clients. Throws std::invalid_argument if an argument is null or the
  /// pacer has no share, and std::system_error if no thread can start.
  ShareRefresher(std::shared_ptr<Pacer> pacer, std::shared_ptr<Clock> clock);
  ShareRefresher(const ShareRefresher&) = delete;
  ShareRefresher& operator=(const ShareRefresher&) = delete;
  /// Gives the share back, so that the others need not wait for the end of its lease. Waits for the exchange
  /// in progress.
  ~ShareRefresher();

 private:
  void run() noexcept;

  std::shared_ptr<Pacer> pacer_;
  std::shared_ptr<Clock> clock_;
  StopSource stop_{};
  std::thread thread_{};
};

}  // namespace tally
