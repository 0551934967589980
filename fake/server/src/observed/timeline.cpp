#include "observed/timeline.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tally::fake::detail {

namespace {

bool mayChange(const Observation& seen) {
  if (!seen.changesItsObject() && !seen.creates()) return false;
  return seen.outcome() == Outcome::success || seen.outcome() == Outcome::unknown ||
         seen.outcome() == Outcome::failed;
}

std::string changedId(const Observation& seen) {
  if (!seen.creates()) return seen.id();
  const auto objects = seen.objects();
  return objects.empty() ? std::string{} : textOf(objects.front(), "id");
}

}  // namespace

Touch touchOf(const Observation& seen) {
  return {.request = seen.number(),
          .operation = seen.operation(),
          .id = changedId(seen),
          .start = seen.start(),
          .end = seen.end(),
          .certain = seen.outcome() == Outcome::success};
}

const Observation* Timeline::next() {
  retire();
  while (!ended_ && (ahead_.empty() || !isKnown(ahead_.begin()->first.first)))
    read();
  if (ahead_.empty()) return nullptr;
  current_ = std::move(ahead_.extract(ahead_.begin()).mapped());
  while (!ended_ && !isKnown(current_->end()))
    read();
  return current_.get();
}

/// Whether all requests that start until then have been read.
bool Timeline::isKnown(Instant time) const {
  return latestStart_ > time && latestStart_ - time > disorder_;
}

void Timeline::read() {
  auto recorded = recording_.next();
  ended_ = !recorded;
  if (ended_) return;
  latestStart_ = std::max(latestStart_, recorded->start);
  const Order order{recorded->start, recorded->number};
  ahead_.emplace(order, std::make_unique<Observation>(catalog_, *std::move(recorded)));
}

void Timeline::retire() {
  if (!current_) return;
  if (mayChange(*current_)) past_.push_back(touchOf(*current_));
  std::erase_if(past_, [&](const Touch& touch) { return touch.end < current_->start(); });
  recording_.giveBack(std::exchange(current_, nullptr)->release());
}

bool Timeline::overlaps(const std::function<bool(const Touch&)>& matches) const {
  bool found = false;
  const auto check = [&](const Touch& touch) {
    const Instant start = std::max(touch.start, current_->start());
    const Instant end = std::min(touch.end, current_->end());
    found = found || (end - start > resolution_ && matches(touch));
  };
  std::ranges::for_each(past_, check);
  if (!found) visitAhead(check);
  return found;
}

void Timeline::visitAhead(const std::function<void(const Touch&)>& visit) const {
  for (const auto& [order, seen] : ahead_) {
    if (order.first >= current_->end()) break;
    if (mayChange(*seen)) visit(touchOf(*seen));
  }
}

}  // namespace tally::fake::detail
