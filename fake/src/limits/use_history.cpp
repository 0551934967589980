#include "limits/use_history.h"

#include <algorithm>
#include <utility>

#include "time/saturating.h"

namespace tally::fake::detail {

using tally::detail::saturatingAdd;
using tally::detail::saturatingSince;

namespace {

constexpr std::chrono::hours peakLength{1};

bool isKept(Instant time, Instant now) {
  return saturatingSince(time, now) < UseHistory::kept;
}

/// Rounds down, even before 1970.
Instant minuteOf(Instant time) {
  constexpr std::chrono::nanoseconds minute = std::chrono::minutes{1};
  const auto remainder = time.time_since_epoch() % minute;
  const auto passed = remainder < remainder.zero() ? remainder + minute : remainder;
  return saturatingAdd(time, -passed);
}

}  // namespace

/// A request that waited may end after a peak has begun that is later than its arrival.
void UseHistory::notePeak(Instant now, std::int64_t used, std::string_view object) {
  if (now >= peakEnd_) {
    std::erase_if(peaks_, [now](const Peak& peak) { return !isKept(peak.time, now); });
    peaks_.push_back({.since = now});
  }
  Peak& peak = peaks_.back();
  peak.time = std::max(now, peak.since);
  peak.used = used;
  peak.object = object;
  follow(peak);
}

void UseHistory::follow(const Peak& last) {
  peakEnd_ = saturatingAdd(last.since, peakLength);
  highest_ = last.used;
}

void UseHistory::noteRefusal(Instant now, std::string_view object) {
  auto& [refusals, minutes] = refused();
  if (minutes.count(now) == 0) refusals.first = now;
  minutes.add(minuteOf(now));
  refusals.last = now;
  refusals.object = object;
}

UseHistory::Refused& UseHistory::refused() {
  if (refused_.empty()) refused_.emplace_back();
  return refused_.front();
}

void UseHistory::addTo(LimitHistory& history, Instant now) const {
  for (const Peak& peak : peaks_)
    if (isKept(peak.time, now) && peak.used > history.highestUse) {
      history.highestUse = peak.used;
      history.highestAt = peak.time;
      history.highestObject = peak.object;
    }
  for (const auto& [start, count] : minutes(now)) {
    history.minutes.push_back({start, count});
    history.refusals += count;
  }
  if (history.minutes.empty()) return;
  const Refusals& refusals = refused_.front().refusals;
  history.firstRefusal = std::max(refusals.first, history.minutes.front().start);
  history.lastRefusal = refusals.last;
  history.refusedObject = refusals.object;
}

void UseHistory::resume(std::vector<Peak> peaks, Refusals refusals,
                        const std::vector<SlidingWindow::Run>& minutes) {
  peaks_ = std::move(peaks);
  if (!peaks_.empty()) follow(peaks_.back());
  if (minutes.empty()) return;
  refused().refusals = std::move(refusals);
  for (const auto& [start, count] : minutes)
    refused().minutes.add(start, count);
}

}  // namespace tally::fake::detail
