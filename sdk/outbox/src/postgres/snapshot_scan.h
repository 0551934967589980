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
/// A snapshot is compared with only after a later transaction has become durable: after a crash, the server
/// gives the numbers of lost transactions again.
class SnapshotScan {
 public:
  /// Continues after what has been read.
  explicit SnapshotScan(ScanMark mark);

  // What the next statement reads: what is not visible in seen(), after a position.
  [[nodiscard]] const Snapshot& seen() const noexcept { return seen_; }
  [[nodiscard]] const ScanPosition& after() const noexcept { return after_; }

  /// A statement with this snapshot has returned rows up to `last`, and there are more.
  void pageRead(const Snapshot& snapshot, ScanPosition last);
  /// A statement with this snapshot has returned the remaining rows.
  void allRead(const Snapshot& snapshot);

  /// A transaction of this worker is durable.
  void committed(std::uint64_t xid);

  /// What has been read before `unsettled`, a report that has been read; all that has been read without one.
  /// For a later transaction.
  [[nodiscard]] ScanMark markBefore(std::optional<ScanPosition> unsettled) const;

 private:
  Snapshot seen_;
  ScanPosition after_{};
  std::optional<Snapshot> first_{};  // of the first page since the last allRead()
  std::optional<Snapshot> read_{};   // everything visible in it has been read
};

}  // namespace tally::detail
