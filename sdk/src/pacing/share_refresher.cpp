#include <stdexcept>
#include <utility>

#include <tally/share_refresher.h>

namespace [[gnu::visibility("default")]] tally {

ShareRefresher::ShareRefresher(std::shared_ptr<Pacer> pacer, std::shared_ptr<Clock> clock)
    : pacer_(std::move(pacer)), clock_(std::move(clock)) {
  if (pacer_ == nullptr || clock_ == nullptr)
    throw std::invalid_argument{"tally: the pacer or the clock of a ShareRefresher is null"};
  if (!pacer_->sharesLimits())
    throw std::invalid_argument{"tally: the pacer of a ShareRefresher has no PacerOptions::share"};
  thread_ = std::thread{[this] { run(); }};
}

ShareRefresher::~ShareRefresher() {
  stop_.request_stop();
  thread_.join();
}

/// If the clock throws, the share lapses with its lease.
void ShareRefresher::run() noexcept {
  try {
    while (!stop_.stop_requested())
      (void)clock_->waitUntil(pacer_->refreshShare(*clock_), stop_.get_token());
    pacer_->leaveShare(*clock_);
  } catch (...) {  // NOLINT(bugprone-empty-catch): the lease ends what it can't give back
  }
}

}  // namespace tally
