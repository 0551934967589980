#include "observed/read_ahead.h"

#include <utility>

namespace tally::fake::detail {

namespace {

/// Few enough for large responses, and enough that threads seldom wait for each other.
constexpr std::size_t batchRequests = 32;
constexpr std::size_t batchBytes = 262'144;
constexpr std::size_t mostBatches = 4;
/// A thread that waits is not woken for each batch.
constexpr std::size_t batchesThatWake = mostBatches / 2;

std::size_t bytesOf(const Recorded& recorded) {
  return recorded.request.body.size() + (recorded.response ? recorded.response->body.size() : 0);
}

}  // namespace

std::optional<Recorded> ReadAhead::next() {
  if (taken_ == current_.size() && !take()) return std::nullopt;
  return std::move(current_[taken_++]);
}

/// Gets the next batch. False at the end.
bool ReadAhead::take() {
  std::unique_lock lock{mutex_};
  if (ready_.empty()) changed_.wait(lock, [this] { return ready_.size() >= batchesThatWake || ended_; });
  if (ready_.empty()) {
    if (failure_) std::rethrow_exception(failure_);
    return false;
  }
  returned_.push_back(std::exchange(current_, std::move(ready_.front())));
  returned_.push_back(std::exchange(used_, {}));
  taken_ = 0;
  ready_.pop_front();
  if (ready_.size() == batchesThatWake) changed_.notify_all();
  return true;
}

void ReadAhead::rewind() {
  stop();
  recording_.rewind();
  start();
}

void ReadAhead::start() {
  current_.clear();
  taken_ = 0;
  used_.clear();
  ready_.clear();
  ended_ = stopping_ = false;
  reader_ = std::thread{[this] { read(); }};
}

void ReadAhead::stop() noexcept {
  if (!reader_.joinable()) return;
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  changed_.notify_all();
  reader_.join();
}

void ReadAhead::read() noexcept {
  std::exception_ptr failure;
  try {
    while (!failure) {
      Batch batch;
      try {
        if (!readInto(batch)) break;
      } catch (...) {
        failure = std::current_exception();  // after what precedes it
      }
      if (!hand(std::move(batch))) return;
    }
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock{mutex_};
  failure_ = std::move(failure);
  ended_ = true;
  changed_.notify_all();
}

/// False if there is nothing more.
bool ReadAhead::readInto(Batch& batch) {
  for (std::size_t bytes = 0; batch.size() < batchRequests && bytes < batchBytes;) {
    auto recorded = recording_.next();
    if (!recorded) break;
    bytes += bytesOf(*recorded);
    batch.push_back(*std::move(recorded));
  }
  return !batch.empty();
}

/// Waits for room. False if no more batches are wanted.
bool ReadAhead::hand(Batch batch) {
  std::vector<Batch> used;  // freed without the lock
  std::unique_lock lock{mutex_};
  if (ready_.size() == mostBatches)
    changed_.wait(lock, [this] { return ready_.size() <= batchesThatWake || stopping_; });
  if (stopping_) return false;
  used.swap(returned_);
  if (!batch.empty()) ready_.push_back(std::move(batch));
  if (ready_.size() == batchesThatWake) changed_.notify_all();
  return true;
}

}  // namespace tally::fake::detail
