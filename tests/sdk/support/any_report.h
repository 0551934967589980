#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <tally/tally.h>

namespace tally::test {

enum class Outcome : std::uint8_t { unreported, canceled, failed, guaranteed };

inline std::string nameOf(Outcome outcome) {
  constexpr const char* names[] = {"unreported", "canceled", "failed", "guaranteed"};
  return names[static_cast<std::size_t>(outcome)];
}

/// A report of any of the three outcomes, and the operations on it.
struct AnyReport {
  Outcome outcome = Outcome::failed;
  MetadataEdit metadata{};
  std::chrono::sys_seconds at{};  // unique in the log

  /// Calls `use` with the parameters of the report.
  template <class Use>
  auto with(const Use& use) const {
    if (outcome == Outcome::canceled)
      return use(PaymentRecordReportCanceledParams{.canceledAt = at, .metadata = metadata});
    if (outcome == Outcome::failed)
      return use(PaymentRecordReportFailedParams{.failedAt = at, .metadata = metadata});
    return use(PaymentRecordReportGuaranteedParams{.guaranteedAt = at, .metadata = metadata});
  }

  [[nodiscard]] Result<PaymentRecord> send(const PaymentRecords& records, const Id<PaymentRecord>& id,
                                           const RequestOptions& options = {}) const {
    if (outcome == Outcome::canceled)
      return records.reportCanceled(id, {.canceledAt = at, .metadata = metadata}, options);
    if (outcome == Outcome::failed)
      return records.reportFailed(id, {.failedAt = at, .metadata = metadata}, options);
    return records.reportGuaranteed(id, {.guaranteedAt = at, .metadata = metadata}, options);
  }

  using Check = ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>;

  [[nodiscard]] Result<ReportFate<PaymentRecord>> fateOf(const PaymentRecords& records,
                                                         const Id<PaymentRecord>& id, const Check& check = {},
                                                         const RequestOptions& options = {}) const {
    return with([&](const auto& params) { return records.fateOf(id, params, check, options); });
  }

  [[nodiscard]] Result<ReportFate<PaymentRecord>> settle(const PaymentRecords& records,
                                                         const Id<PaymentRecord>& id, const Check& check = {},
                                                         const RequestOptions& options = {}) const {
    return with([&](const auto& params) { return records.settle(id, params, check, options); });
  }

  /// Whether `now` shows the metadata changes of this report, by the service's merge rules.
  [[nodiscard]] bool isVisibleIn(const Metadata& now) const {
    Metadata after = metadata.unsetsAll() ? Metadata{} : now;
    for (const auto& change : metadata.changes()) {
      if (change.unset) {
        after.erase(change.key);
      } else {
        after[change.key] = change.value;
      }
    }
    return after == now;
  }
};

}  // namespace tally::test
