#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <tally/report.h>
#include <tally/timestamp.h>

namespace [[gnu::visibility("default")]] tally {

/// Thrown if the database of an outbox can't be used, or refuses a statement. `what()` gives the reason in
/// one line. Roll back the transaction in which it is thrown.
class OutboxError : public std::runtime_error {
 public:
  OutboxError(const std::string& what, std::string sqlState)
      : std::runtime_error(what), sqlState_(std::move(sqlState)) {}

  /// The five characters with which PostgreSQL identifies the error, such as `40001`; `08001` if the
  /// connection can't be made; `40003` if SQLite fails so that a transaction may be committed; otherwise
  /// empty.
  [[nodiscard]] const std::string& sqlState() const noexcept { return sqlState_; }

 private:
  std::string sqlState_;
};

std::ostream& operator<<(std::ostream& out, const OutboxError& error);

/// Which reports of a domain are sent first. Reports on one object keep their order.
enum class ReportPriority : std::uint8_t {
  normal,
  low,  ///< After all normal reports; for a backfill, for example.
};

/// The readable name, such as `low`.
[[nodiscard]] std::string_view toString(ReportPriority priority) noexcept;
std::ostream& operator<<(std::ostream& out, ReportPriority priority);

/// A report, and how it is enqueued.
struct OutboxReport {
  Report report{};
  /// Makes enqueuing idempotent: the same report with the same key is enqueued only once, and another report
  /// with that key is refused. Empty: each call enqueues a report.
  std::string key{};
  std::string connectedAccount{};  ///< RequestOptions::connectedAccount; empty: none.
};

std::ostream& operator<<(std::ostream& out, const OutboxReport& value);

struct EnqueueOptions {
  /// The earliest time at which the report may be sent, on the database's clock.
  std::optional<Timestamp> notBefore{};
  ReportPriority priority = ReportPriority::normal;
};

std::ostream& operator<<(std::ostream& out, const EnqueueOptions& value);

}  // namespace tally
