#include "postgres/snapshot_scan.h"

#include <algorithm>
#include <utility>

#include "postgres/postgres_array.h"

namespace tally::detail {

Snapshot Snapshot::fromText(std::string_view text) {
  const std::size_t first = text.find(':');
  const std::size_t second = text.find(':', first + 1);
  Snapshot snapshot{.xmax = numberOf(text.substr(first + 1))};
  for (const std::string_view xid : elementsOf(text.substr(second + 1)))
    snapshot.open.push_back(numberOf(xid));
  return snapshot;
}

std::string Snapshot::toText() const {
  std::string text = std::to_string(open.empty() ? xmax : open.front()) + ':' + std::to_string(xmax) + ':';
  for (const std::uint64_t xid : open)
    (text += xid == open.front() ? "" : ",") += std::to_string(xid);
  return text;
}

Snapshot Snapshot::below(std::uint64_t xid) const {
  Snapshot earlier = *this;
  earlier.xmax = std::min(xmax, xid);
  std::erase_if(earlier.open, [&](std::uint64_t one) { return one >= earlier.xmax; });
  return earlier;
}

SnapshotScan::SnapshotScan(ScanMark mark) : seen_(std::move(mark.seen)), after_(mark.after) {
  if (after_.xid != 0) first_ = std::move(mark.first);
}

void SnapshotScan::pageRead(const Snapshot& snapshot, ScanPosition last) {
  if (!first_) first_ = snapshot;
  after_ = last;
}

/// What became visible between two pages may lie before the second one, so the first snapshot counts.
void SnapshotScan::allRead(const Snapshot& snapshot) {
  read_ = first_ ? *std::exchange(first_, std::nullopt) : snapshot;
  after_ = {};
}

/// A pass in progress continues in what it has begun to read.
void SnapshotScan::committed(std::uint64_t xid) {
  if (first_ || !read_ || xid < read_->xmax) return;
  seen_ = *std::exchange(read_, std::nullopt);
}

ScanMark SnapshotScan::markBefore(std::optional<ScanPosition> unsettled) const {
  const auto before = [](ScanPosition position) { return ScanPosition{position.xid, position.id - 1}; };
  if (first_ && !unsettled) return {.seen = seen_, .first = *first_, .after = after_};
  if (first_)
    return {
        .seen = seen_.below(unsettled->xid), .first = *first_, .after = std::min(before(*unsettled), after_)};
  const Snapshot& all = read_ ? *read_ : seen_;
  if (!unsettled) return {.seen = all, .first = all};
  return {.seen = all.below(unsettled->xid), .first = all, .after = before(*unsettled)};
}

}  // namespace tally::detail
