#include "list_order.h"

#include <algorithm>
#include <iterator>

namespace tally::fake::detail {

namespace {

constexpr std::size_t mostPerPart = 512;

}  // namespace

/// Where none of a part is not newer, the newest of the part before it comes next.
ListOrder::Place::Place(const ListOrder& order, std::size_t part, std::size_t count)
    : order_(&order), part_(part), count_(count) {
  if (count_ != 0 || part_ == 0) return;
  --part_;
  count_ = order_->parts_[part_]->value.size();
}

void ListOrder::Place::toOlder() {
  *this = Place{*order_, part_, count_ - 1};
}

void ListOrder::Place::toNewer() {
  if (count_ < order_->parts_[part_]->value.size()) {
    ++count_;
  } else {
    ++part_;
    count_ = 1;
  }
}

std::size_t ListOrder::partFor(Position position) const {
  const auto ends = [&](const PartOf<Part>& part) { return part->value.back() < position; };
  return static_cast<std::size_t>(std::ranges::partition_point(parts_, ends) - parts_.begin());
}

void ListOrder::insert(Position position) {
  std::size_t at = partFor(position);
  if (at == parts_.size()) {
    if (at == 0 || parts_.back()->value.size() >= mostPerPart) parts_.emplace_back();
    at = parts_.size() - 1;
  }
  Part& part = owned(parts_[at]);
  part.insert(std::ranges::lower_bound(part, position), position);
  if (part.size() <= mostPerPart) return;
  const auto half = part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2);
  PartOf<Part> newer{new SharedPart<Part>};
  newer->value.assign(half, part.end());
  part.erase(half, part.end());
  parts_.insert(std::next(parts_.begin(), static_cast<std::ptrdiff_t>(at) + 1), std::move(newer));
}

ListOrder::Place ListOrder::newest() const {
  return parts_.empty() ? end() : Place{*this, parts_.size() - 1, parts_.back()->value.size()};
}

ListOrder::Place ListOrder::at(Position position) const {
  Place place = behind(position);
  place.toNewer();
  return place;
}

ListOrder::Place ListOrder::behind(Position position) const {
  const std::size_t at = partFor(position);
  if (at == parts_.size()) return newest();
  const Part& part = parts_[at]->value;
  return {*this, at, static_cast<std::size_t>(std::ranges::lower_bound(part, position) - part.begin())};
}

}  // namespace tally::fake::detail
