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

/// What became visible between two pages may lie before the second one, so the first snapshot counts. A pass
/// ends with what is visible in it: the rest would be read again after a longer pass.
void SnapshotScan::pageRead(const Snapshot& durable, ScanPosition last) {
  if (!first_) first_ = durable;
  after_ = last;
  if (last.xid >= first_->xmax) endPass();
}

void SnapshotScan::allRead(const Snapshot& durable) {
  if (!first_) first_ = durable;
  endPass();
}

void SnapshotScan::endPass() {
  if (first_->xmax >= seen_.xmax) seen_ = *first_;
  first_.reset();
  after_ = {};
}

ScanMark SnapshotScan::markBefore(std::optional<ScanPosition> unsettled) const {
  const auto before = [](ScanPosition position) { return ScanPosition{position.xid, position.id - 1}; };
  if (first_ && !unsettled) return {.seen = seen_, .first = *first_, .after = after_};
  if (first_)
    return {
        .seen = seen_.below(unsettled->xid), .first = *first_, .after = std::min(before(*unsettled), after_)};
  if (!unsettled || unsettled->xid >= seen_.xmax) return {.seen = seen_, .first = seen_};
  return {.seen = seen_.below(unsettled->xid), .first = seen_, .after = before(*unsettled)};
}

}  // namespace tally::detail
