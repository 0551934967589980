// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/borrowed.h>
#include <tally/call.h>
#include <tally/payment_records.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// The methods of PaymentRecords as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::paymentRecords().
class AsyncPaymentRecords {
 public:
  explicit AsyncPaymentRecords(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move operations: a move would leave the source without a client.
  AsyncPaymentRecords(const AsyncPaymentRecords&) = default;
  AsyncPaymentRecords& operator=(const AsyncPaymentRecords&) = default;
  ~AsyncPaymentRecords() = default;

  /// Lists payment records, newest first. See PaymentRecords::list().
  [[nodiscard]] AsyncPager<PaymentRecord> list(
      const Borrowed<PaymentRecordListParams>& params = detail::defaulted,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Searches payment records. See PaymentRecords::search().
  [[nodiscard]] AsyncPager<PaymentRecord> search(
      const Borrowed<PaymentRecordSearchParams>& params,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// The same with a condition on fields in PaymentRecordSearchFields.
  template <query::IsCondition C>
  [[nodiscard]] AsyncPager<PaymentRecord> search(
      const C& condition, const Borrowed<RequestOptions>& options = detail::defaulted) const {
    return search(Borrowed<PaymentRecordSearchParams>{.query = condition}, options);
  }

  /// Retrieves a payment record. See PaymentRecords::retrieve().
  [[nodiscard]] Call<PaymentRecord> retrieve(
      const Id<PaymentRecord>& id, const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Reports the latest payment attempt as canceled. See PaymentRecords::reportCanceled().
  [[nodiscard]] Call<PaymentRecord> reportCanceled(
      const Id<PaymentRecord>& id, const Borrowed<PaymentRecordReportCanceledParams>& params,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Reports the latest payment attempt as failed. See PaymentRecords::reportFailed().
  [[nodiscard]] Call<PaymentRecord> reportFailed(
      const Id<PaymentRecord>& id, const Borrowed<PaymentRecordReportFailedParams>& params,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Reports the latest payment attempt as guaranteed. See PaymentRecords::reportGuaranteed().
  [[nodiscard]] Call<PaymentRecord> reportGuaranteed(
      const Id<PaymentRecord>& id, const Borrowed<PaymentRecordReportGuaranteedParams>& params,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Sends any report on a payment record. See PaymentRecords::report().
  [[nodiscard]] Call<PaymentRecord> report(const Id<PaymentRecord>& id,
                                           const Borrowed<PaymentRecordReport>& report,
                                           const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// The same for a Report, which must be a named variable: g++ 12 destroys a temporary in a `co_await`
  /// twice.
  [[nodiscard]] Call<PaymentRecord> report(const Report& report,
                                           const Borrowed<RequestOptions>& options = detail::defaulted) const;
  Call<PaymentRecord> report(const Report&& report,
                             const Borrowed<RequestOptions>& options = detail::defaulted) const = delete;

  /// Determines whether a report whose response was lost has been applied. See PaymentRecords::checkReport().
  [[nodiscard]] Call<ReportCheck<PaymentRecord>> checkReport(
      const Id<PaymentRecord>& id, const Borrowed<PaymentRecordReport>& report,
      const Borrowed<ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>>& known = detail::defaulted,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Like checkReport(), but sends the report again if it has not been applied. See
  /// PaymentRecords::resolveReport().
  [[nodiscard]] Call<ReportCheck<PaymentRecord>> resolveReport(
      const Id<PaymentRecord>& id, const Borrowed<PaymentRecordReport>& report,
      const Borrowed<ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>>& known = detail::defaulted,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
