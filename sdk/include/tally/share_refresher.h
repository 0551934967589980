#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <thread>

#include <tally/clock.h>
#include <tally/pacer.h>
#include <tally/stop_token.h>

namespace [[gnu::visibility("default")]] tally {

/// Refreshes the share of a Pacer in its own thread, about once a second, until the refresher is destroyed. A
/// pacer with PacerOptions::share needs a ShareRefresher, or a thread that calls Pacer::refreshShare() at the
/// times that the function returns. Not thread-safe.
class ShareRefresher {
 public:
  /// `clock` must be the clock of the pacer's clients. Throws std::invalid_argument if an argument is null or
  /// the pacer has no share, and std::system_error if the thread can't be started.
  ShareRefresher(std::shared_ptr<Pacer> pacer, std::shared_ptr<Clock> clock);
  ShareRefresher(const ShareRefresher&) = delete;
  ShareRefresher& operator=(const ShareRefresher&) = delete;
  /// Gives the share back, so that the other processes need not wait until its lease ends. Waits for an
  /// exchange in progress to end.
  ~ShareRefresher();

 private:
  void run() noexcept;

  std::shared_ptr<Pacer> pacer_;
  std::shared_ptr<Clock> clock_;
  StopSource stop_{};
  std::thread thread_{};
};

}  // namespace tally
