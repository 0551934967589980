// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/call.h>
#include <tally/call_options.h>
#include <tally/payment_records.h>
#include <tally/report_check_args.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// Arguments of AsyncPaymentRecords::list.
struct PaymentRecordListArgs {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  IdArg<PaymentRecord> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  IdArg<PaymentRecord> endingBefore{};
};

/// Arguments of AsyncPaymentRecords::search.
struct PaymentRecordSearchArgs {
  /// Required. The search query.
  std::optional<std::string_view> query{};
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// The `next_page` of the previous page; omitted for the first page.
  std::optional<std::string_view> page{};
  /// The fields to expand: `total_count`.
  TextsArg expand{};
};

/// Arguments of AsyncPaymentRecords::reportCanceled.
struct PaymentRecordReportCanceledArgs {
  std::optional<Timestamp> canceledAt{};  ///< Required. When the reported payment was canceled.
  MetadataArg metadata{};                 ///< Sets or unsets keys, or unsets all keys.
};

/// Arguments of AsyncPaymentRecords::reportFailed.
struct PaymentRecordReportFailedArgs {
  std::optional<Timestamp> failedAt{};  ///< Required. When the reported payment failed or errored.
  MetadataArg metadata{};               ///< Sets or unsets keys, or unsets all keys.
};

/// Arguments of AsyncPaymentRecords::reportGuaranteed.
struct PaymentRecordReportGuaranteedArgs {
  std::optional<Timestamp> guaranteedAt{};  ///< Required. When the reported payment was guaranteed.
  MetadataArg metadata{};                   ///< Sets or unsets keys, or unsets all keys.
};

/// Any report on a payment record: the arguments of the method that sends it, or a PaymentRecordReport.
using PaymentRecordReportArgs = ReportArg<PaymentRecordReport, PaymentRecordReportCanceledArgs,
                                          PaymentRecordReportFailedArgs, PaymentRecordReportGuaranteedArgs>;

/// The methods of PaymentRecords as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::paymentRecords().
class AsyncPaymentRecords {
 public:
  explicit AsyncPaymentRecords(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move, which would leave it without a client.
  AsyncPaymentRecords(const AsyncPaymentRecords&) = default;
  AsyncPaymentRecords& operator=(const AsyncPaymentRecords&) = default;
  ~AsyncPaymentRecords() = default;

  /// Lists payment records, newest first. See PaymentRecords::list().
  [[nodiscard]] AsyncPager<PaymentRecord> list(const PaymentRecordListArgs& args = {},
                                               const CallOptions& options = {}) const;

  /// Searches payment records. See PaymentRecords::search().
  [[nodiscard]] AsyncPager<PaymentRecord> search(const PaymentRecordSearchArgs& args,
                                                 const CallOptions& options = {}) const;

  /// Retrieves a payment record. See PaymentRecords::retrieve().
  [[nodiscard]] Call<PaymentRecord> retrieve(const Id<PaymentRecord>& id,
                                             const CallOptions& options = {}) const;

  /// Reports the latest payment attempt as canceled. See PaymentRecords::reportCanceled().
  [[nodiscard]] Call<PaymentRecord> reportCanceled(const Id<PaymentRecord>& id,
                                                   const PaymentRecordReportCanceledArgs& args,
                                                   const CallOptions& options = {}) const;

  /// Reports the latest payment attempt as failed. See PaymentRecords::reportFailed().
  [[nodiscard]] Call<PaymentRecord> reportFailed(const Id<PaymentRecord>& id,
                                                 const PaymentRecordReportFailedArgs& args,
                                                 const CallOptions& options = {}) const;

  /// Reports the latest payment attempt as guaranteed. See PaymentRecords::reportGuaranteed().
  [[nodiscard]] Call<PaymentRecord> reportGuaranteed(const Id<PaymentRecord>& id,
                                                     const PaymentRecordReportGuaranteedArgs& args,
                                                     const CallOptions& options = {}) const;

  /// Sends any report on a payment record. See PaymentRecords::report().
  [[nodiscard]] Call<PaymentRecord> report(const Id<PaymentRecord>& id, const PaymentRecordReportArgs& report,
                                           const CallOptions& options = {}) const;

  /// The same for a Report, which must have a name: g++ 12 destroys a temporary in a `co_await` twice.
  [[nodiscard]] Call<PaymentRecord> report(const Report& report, const CallOptions& options = {}) const;
  Call<PaymentRecord> report(const Report&& report, const CallOptions& options = {}) const = delete;

  /// Determines whether a report whose response was lost has been applied. See PaymentRecords::checkReport().
  [[nodiscard]] Call<ReportCheck<PaymentRecord>> checkReport(
      const Id<PaymentRecord>& id, const PaymentRecordReportArgs& report,
      const ReportCheckArgs<PaymentRecord, Id<PaymentAttemptRecord>>& known = {},
      const CallOptions& options = {}) const;

  /// The same, but sends the report again if it has not been applied. See PaymentRecords::resolveReport().
  [[nodiscard]] Call<ReportCheck<PaymentRecord>> resolveReport(
      const Id<PaymentRecord>& id, const PaymentRecordReportArgs& report,
      const ReportCheckArgs<PaymentRecord, Id<PaymentAttemptRecord>>& known = {},
      const CallOptions& options = {}) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
