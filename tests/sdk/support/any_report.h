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

using ReportKnown = ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>;
using CheckedReport = Result<ReportCheck<PaymentRecord>>;

/// How tests check and resolve reports instead of by the blocking methods.
struct ReportForm {
  using Function = CheckedReport (*)(const PaymentRecords& records, const Id<PaymentRecord>& id,
                                     const PaymentRecordReport& report, const ReportKnown& known,
                                     const RequestOptions& options);
  Function check;
  Function resolve;
};
inline const ReportForm* reportForm = nullptr;  // the blocking methods

/// A report of any of the three outcomes, and the operations on it.
struct AnyReport {
  Outcome outcome = Outcome::failed;
  MetadataEdit metadata{};
  std::chrono::sys_seconds at{};  // unique in the log

  [[nodiscard]] PaymentRecordReport params() const {
    if (outcome == Outcome::canceled)
      return PaymentRecordReportCanceledParams{.canceledAt = at, .metadata = metadata};
    if (outcome == Outcome::failed)
      return PaymentRecordReportFailedParams{.failedAt = at, .metadata = metadata};
    return PaymentRecordReportGuaranteedParams{.guaranteedAt = at, .metadata = metadata};
  }

  [[nodiscard]] Result<PaymentRecord> send(const PaymentRecords& records, const Id<PaymentRecord>& id,
                                           const RequestOptions& options = {}) const {
    if (outcome == Outcome::canceled)
      return records.reportCanceled(id, {.canceledAt = at, .metadata = metadata}, options);
    if (outcome == Outcome::failed)
      return records.reportFailed(id, {.failedAt = at, .metadata = metadata}, options);
    return records.reportGuaranteed(id, {.guaranteedAt = at, .metadata = metadata}, options);
  }

  using Check = ReportKnown;

  [[nodiscard]] Result<ReportCheck<PaymentRecord>> checkReport(const PaymentRecords& records,
                                                               const Id<PaymentRecord>& id,
                                                               const Check& check = {},
                                                               const RequestOptions& options = {}) const {
    if (reportForm != nullptr) return reportForm->check(records, id, params(), check, options);
    return records.checkReport(id, params(), check, options);
  }

  [[nodiscard]] Result<ReportCheck<PaymentRecord>> resolveReport(const PaymentRecords& records,
                                                                 const Id<PaymentRecord>& id,
                                                                 const Check& check = {},
                                                                 const RequestOptions& options = {}) const {
    if (reportForm != nullptr) return reportForm->resolve(records, id, params(), check, options);
    return records.resolveReport(id, params(), check, options);
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
