#include "status_watch.h"

#include <exception>
#include <utility>

namespace tally::detail {

namespace {

constexpr std::chrono::seconds oldest{15};

}  // namespace

StatusWatch::StatusWatch(std::function<Status()> read, Clock clock)
    : read_(std::move(read)), clock_(std::move(clock)), wantedAt_(clock_()) {
  thread_ = std::thread{[this] { watch(); }};
}

StatusWatch::~StatusWatch() {
  {
    const std::lock_guard lock{mutex_};
    isEnded_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

std::optional<StatusWatch::Status> StatusWatch::latest() {
  const std::lock_guard lock{mutex_};
  const auto now = clock_();
  if (!isWanted_ && now - readAt_ >= oldest) {
    isWanted_ = true;
    wantedAt_ = now;
    changed_.notify_one();
  }
  return isWanted_ && now - wantedAt_ > oldest ? std::nullopt : status_;
}

void StatusWatch::watch() {
  std::unique_lock lock{mutex_};
  while (true) {
    changed_.wait(lock, [this] { return isWanted_ || isEnded_; });
    if (isEnded_) return;
    lock.unlock();
    std::optional<Status> read;
    try {
      read = read_();
      // NOLINTNEXTLINE(bugprone-empty-catch): the worker reports trouble of the database
    } catch (const std::exception&) {
    }
    lock.lock();
    status_ = std::move(read);
    readAt_ = clock_();
    isWanted_ = false;
  }
}

}  // namespace tally::detail
