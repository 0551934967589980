#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "postgres/postgres_array.h"
#include "postgres/postgres_session.h"
#include "postgres/snapshot_scan.h"
#include "worker/store.h"

namespace tally::detail {

/// A domain of an outbox on PostgreSQL, for its owner.
class PostgresDomain final : public DomainStore {
 public:
  struct Owner {
    std::string incarnation{};
    std::string session{};
    std::chrono::milliseconds patience{15'000};  // how long a statement is repeated that loses its connection
  };
  PostgresDomain(std::string url, std::string domain, Owner owner);

  void restart() override;
  [[nodiscard]] DomainNews read(std::size_t normal, std::size_t low) override;
  [[nodiscard]] std::vector<Head> write(const Batch& batch) override;
  [[nodiscard]] std::vector<Head> carryOut(std::span<const std::uint64_t> requests) override;
  void answer(std::uint64_t request, const std::string& text) override;
  void pause(const std::string& reason) override;
  void maintain() override;
  std::size_t removeDecided(std::chrono::seconds age, std::size_t limit) override;
  void writeLate(std::span<const LateFinding> findings) noexcept override;

 private:
  using Numbers = std::vector<std::uint64_t>;
  using Limits = std::array<std::size_t, 2>;  // by priority
  struct Rows;

  /// A head that this has returned, and that has neither been decided nor deferred since.
  struct Outstanding {
    ScanPosition position{};
    std::size_t priority = 0;
    bool isDeferred = false;                 // found by its time, not by a scan
    bool isUrgent = false;                   // returned as a normal one, or reported as such
    std::optional<ScanPosition> follower{};  // the first normal report that a scan has found behind it
  };

  [[nodiscard]] PostgresResult inSession(const std::function<PostgresResult()>& statement);
  void loseConnection();
  void renewSession();

  void renumberRestored();
  [[nodiscard]] PostgresResult poll(const Limits& atMost);
  [[nodiscard]] bool goBeyondDurable(const Rows& rows, const Limits& atMost) const;
  [[nodiscard]] Numbers newHeads(const Rows& rows, DomainNews& news);
  void noteFollowers(const Rows& rows);
  [[nodiscard]] bool advanceScans(const Rows& rows, const Limits& atMost);
  [[nodiscard]] std::vector<Head> take(const Numbers& heads);
  [[nodiscard]] std::vector<Head> describe(const Numbers& heads);
  [[nodiscard]] std::size_t deferredOnes() const;
  void settled(const Batch& batch);
  void settle();
  void writeMarks(std::optional<std::uint64_t> beyond = {});
  void committed(std::uint64_t xid);
  [[nodiscard]] ScanMark markOf(std::size_t priority) const;

  PostgresSession database_;
  std::string domain_;
  Owner owner_;
  NullableText acknowledged_{};  // the position in the log after the last write
  NullableText evidence_{};      // of the last write
  std::uint64_t durable_ = 0;    // the last own transaction known to be durable
  bool isUnsettled_ = false;     // something has been read or decided since settle()
  bool isFresh_ = false;         // the scans belong to this connection
  bool isLost_ = false;          // the session is that of a connection that was lost
  std::vector<SnapshotScan> scans_{};
  std::map<std::uint64_t, Outstanding> outstanding_{};
};

}  // namespace tally::detail
