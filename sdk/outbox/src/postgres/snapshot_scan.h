#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tally::detail {

/// Which transactions a statement saw, as pg_snapshot: those below `xmax` that are not in `open`.
struct Snapshot {
  std::uint64_t xmax = 3;  // the first transaction of a server has this number
  std::vector<std::uint64_t> open{};

  bool operator==(const Snapshot&) const = default;

  /// Reads `xmin:xmax:open,open…`.
  [[nodiscard]] static Snapshot fromText(std::string_view text);
  [[nodiscard]] std::string toText() const;

  /// What it saw below a transaction.
  [[nodiscard]] Snapshot below(std::uint64_t xid) const;
};

/// The place of a report in a scan.
struct ScanPosition {
  std::uint64_t xid = 0;
  std::uint64_t id = 0;

  auto operator<=>(const ScanPosition&) const = default;
};

/// What a scan has read: what is visible in `seen`, and what is visible in `first` and not after `after`.
struct ScanMark {
  Snapshot seen{};
  Snapshot first{};
  ScanPosition after{};

  bool operator==(const ScanMark&) const = default;
};

/// Reads the reports of one priority that have become visible, page by page. A transaction that commits late
/// is read although its number is low, because snapshots are compared instead of numbers.
///
/// After a crash, the server gives the numbers of lost transactions again, and a pooler may hide that. So
/// what counts as seen ends at a transaction that was durable before the statement (Snapshot::below()). What
/// a later one has inserted is read again until then.
class SnapshotScan {
 public:
  /// Continues after what has been read.
  explicit SnapshotScan(ScanMark mark);

  // What the next statement reads: what is not visible in seen(), after a position.
  [[nodiscard]] const Snapshot& seen() const noexcept { return seen_; }
  [[nodiscard]] const ScanPosition& after() const noexcept { return after_; }

  /// A statement has returned rows up to `last`, and there are more. `durable`: what it saw up to a durable
  /// transaction; nothing if none is known.
  void pageRead(const Snapshot& durable, ScanPosition last);
  /// A statement has returned the remaining rows.
  void allRead(const Snapshot& durable);

  /// What has been read before `unsettled`, a report that has been read; all that has been read without one.
  [[nodiscard]] ScanMark markBefore(std::optional<ScanPosition> unsettled) const;

 private:
  void endPass();

  Snapshot seen_;
  ScanPosition after_{};
  std::optional<Snapshot> first_{};  // of the first page of the pass in progress
};

}  // namespace tally::detail
