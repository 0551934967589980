#include "time/sliding_window.h"

#include <algorithm>
#include <iterator>

#include "text/reserve_more.h"
#include "time/saturating.h"

namespace tally::detail {

bool SlidingWindow::hasLeft(const Run& run, Instant time) const {
  return saturatingSince(run.time, time) >= length_;
}

void SlidingWindow::forget(Instant now) {
  while (first_ < runs_.size() && hasLeft(runs_[first_], now))
    total_ -= runs_[first_++].count;
  if (first_ == runs_.size()) {
    runs_.clear();
    first_ = 0;
  } else if (first_ > runs_.size() / 2) {
    runs_.erase(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
}

std::int64_t SlidingWindow::count(Instant now) {
  forget(now);
  return total_;
}

std::int64_t SlidingWindow::countAt(Instant time) const {
  std::int64_t left = total_;
  for (std::size_t i = first_; i < runs_.size() && hasLeft(runs_[i], time); ++i)
    left -= runs_[i].count;
  return left;
}

std::vector<SlidingWindow::Run> SlidingWindow::runs(Instant now) const {
  std::vector<Run> counted;
  std::copy_if(runs_.begin() + static_cast<std::ptrdiff_t>(first_), runs_.end(), std::back_inserter(counted),
               [&](const Run& run) { return run.count != 0 && !hasLeft(run, now); });
  return counted;
}

void SlidingWindow::add(Instant now, std::int64_t times) {
  forget(now);
  if (instants() != 0 && runs_.back().time == now) {
    runs_.back().count += times;
  } else {
    runs_.push_back({now, times});
  }
  total_ += times;
  if (instants() > mostInstants_) join();
}

void SlidingWindow::reserve(std::size_t instants) {
  reserveMore(runs_, instants);
}

void SlidingWindow::addToLast(Instant now) {
  forget(now);
  if (instants() == 0) return add(now);
  runs_.back().time = now;
  ++runs_.back().count;
  ++total_;
}

void SlidingWindow::addLate(Instant time, Instant now) {
  forget(now);
  if (saturatingSince(time, now) >= length_) return;
  const auto first = runs_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto next = std::upper_bound(first, runs_.end(), time,
                                     [](Instant wanted, const Run& run) { return wanted < run.time; });
  if (next != first && std::prev(next)->time == time) {
    ++std::prev(next)->count;
  } else {
    runs_.insert(next, {time, 1});
  }
  ++total_;
}

/// Keeps one instant per span, with half as many spans as instants allowed, so the next merge is far off.
/// Spans are aligned to the epoch: otherwise repeated merges would move an event further each time.
void SlidingWindow::join() {
  const auto span = length_ / static_cast<std::int64_t>(std::max<std::size_t>(mostInstants_ / 2, 1));
  const auto spanOf = [&](const Run& run) { return run.time.time_since_epoch() / span; };
  std::size_t last = 0;
  for (std::size_t i = first_ + 1; i < runs_.size(); ++i) {
    Run& joined = runs_[first_ + last];
    if (spanOf(joined) == spanOf(runs_[i])) {
      if (joined_ == Joined::leaveWithLast) joined.time = runs_[i].time;
      joined.count += runs_[i].count;
    } else {
      runs_[first_ + ++last] = runs_[i];
    }
  }
  runs_.resize(first_ + last + 1);
}

void SlidingWindow::giveBack(Instant time) {
  const auto run = std::find_if(runs_.rbegin(), runs_.rend() - static_cast<std::ptrdiff_t>(first_),
                                [&](const Run& candidate) { return candidate.time <= time; });
  if (run == runs_.rend() - static_cast<std::ptrdiff_t>(first_) || run->time != time || run->count == 0)
    return;
  --run->count;
  --total_;
}

std::optional<Instant> SlidingWindow::fallsBelow(std::int64_t number, Instant now) const {
  if (number <= 0) return std::nullopt;
  Instant time = now;
  std::int64_t left = total_;
  for (std::size_t i = first_; left >= number; ++i) {
    left -= runs_[i].count;
    time = std::max(now, saturatingAdd(runs_[i].time, length_));
  }
  return time;
}

}  // namespace tally::detail
