// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/amount.h>
#include <tally/id.h>
#include <tally/json.h>
#include <tally/metadata.h>
#include <tally/open_enum.h>
#include <tally/options.h>
#include <tally/pager.h>
#include <tally/report_fate.h>
#include <tally/result.h>

namespace tally {

namespace detail {
class Core;
}

/// One attempt at a payment. Only its identifier is documented.
struct PaymentAttemptRecord;

/// What is known of an open set.
/// Assumed, see docs/assumptions.md: `customer_presence` and every other string with "shown values".
enum class PaymentRecordCustomerPresence : std::uint8_t {
  onSession,  ///< The customer was there.
};

template <>
struct EnumTexts<PaymentRecordCustomerPresence> {
  static constexpr std::string_view values[] = {
      "on_session",  // onSession
  };
};

/// What is known of an open set.
/// Assumed, see docs/assumptions.md: `customer_presence` and every other string with "shown values".
enum class PaymentMethodDetailsType : std::uint8_t {
  custom,
};

template <>
struct EnumTexts<PaymentMethodDetailsType> {
  static constexpr std::string_view values[] = {
      "custom",  // custom
  };
};

/// What is known of an open set.
/// Assumed, see docs/assumptions.md: `customer_presence` and every other string with "shown values".
enum class CustomPaymentMethodType : std::uint8_t {
  custom,
};

template <>
struct EnumTexts<CustomPaymentMethodType> {
  static constexpr std::string_view values[] = {
      "custom",  // custom
  };
};

/// What is known of an open set.
/// Assumed, see docs/assumptions.md: `customer_presence` and every other string with "shown values".
enum class ProcessorDetailsType : std::uint8_t {
  custom,
};

template <>
struct EnumTexts<ProcessorDetailsType> {
  static constexpr std::string_view values[] = {
      "custom",  // custom
  };
};

/// A payment method of the caller's own kind.
/// Spec: "payment_method_details".
struct CustomPaymentMethod {
  std::string displayName{};
  OpenEnum<CustomPaymentMethodType> type{};

  bool operator==(const CustomPaymentMethod&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const CustomPaymentMethod& value);
};

/// How the customer paid.
/// Spec: "payment_method_details".
struct PaymentMethodDetails {
  OpenEnum<PaymentMethodDetailsType> type{};
  std::optional<RawJson> billingDetails{};  ///< Its fields are not documented.
  std::optional<std::string> paymentMethod{};
  CustomPaymentMethod custom{};  ///< A payment method of the caller's own kind.

  bool operator==(const PaymentMethodDetails&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const PaymentMethodDetails& value);
};

/// A processor of the caller's own kind.
/// Spec: "processor_details".
struct CustomProcessor {
  std::string paymentReference{};

  bool operator==(const CustomProcessor&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const CustomProcessor& value);
};

/// Who processed the payment.
/// Spec: "processor_details".
struct ProcessorDetails {
  OpenEnum<ProcessorDetailsType> type{};
  CustomProcessor custom{};  ///< A processor of the caller's own kind.

  bool operator==(const ProcessorDetails&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const ProcessorDetails& value);
};

/// A payment, and the outcome of the latest attempt at it.
/// Spec: "Payment record".
struct PaymentRecord {
  static constexpr std::string_view object = "payment_record";

  Id<PaymentRecord> id{};                    ///< Payment record identifier.
  Amount amountRequested{};                  ///< Amount requested.
  Amount amountCanceled{};                   ///< Amount of the latest attempt reported canceled.
  Amount amountFailed{};                     ///< Amount reported failed.
  Amount amountGuaranteed{};                 ///< Amount reported guaranteed.
  Amount amountRefunded{};                   ///< Amount refunded.
  std::chrono::sys_seconds created{};        ///< When the record was created.
  std::optional<RawJson> customerDetails{};  ///< Its fields are not documented.
  OpenEnum<PaymentRecordCustomerPresence> customerPresence{};
  std::string description{};                              ///< Free text.
  Id<PaymentAttemptRecord> latestPaymentAttemptRecord{};  ///< The latest payment attempt.
  bool livemode{};                                        ///< Live mode, or sandbox.
  Metadata metadata{};                                    ///< Key-value pairs attached by the caller.
  PaymentMethodDetails paymentMethodDetails{};            ///< How the customer paid.
  ProcessorDetails processorDetails{};                    ///< Who processed the payment.
  std::optional<RawJson> shippingDetails{};               ///< Its fields are not documented.
  UnknownFields unknownFields{};                          ///< What the service sent beyond the fields above.

  bool operator==(const PaymentRecord&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const PaymentRecord& value);
};

/// Parameters of PaymentRecords::list.
struct PaymentRecordListParams {
  /// The most objects that a page holds. 1 to 100; 10 if not given.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Not together with `ending_before`.
  std::optional<Id<PaymentRecord>> startingAfter{};
  /// Lists the objects before this one. Not together with `starting_after`.
  std::optional<Id<PaymentRecord>> endingBefore{};

  friend std::ostream& operator<<(std::ostream& out, const PaymentRecordListParams& value);
};

/// Parameters of PaymentRecords::search.
struct PaymentRecordSearchParams {
  std::optional<std::string> query{};   ///< Required. What to find, in the query language.
  std::optional<std::int64_t> limit{};  ///< The most objects that a page holds. 1 to 100; 10 if not given.
  std::optional<std::string> page{};    ///< The `next_page` of the page before; none for the first page.
  std::vector<std::string> expand{};    ///< What else to give: `total_count`.

  friend std::ostream& operator<<(std::ostream& out, const PaymentRecordSearchParams& value);
};

/// Parameters of PaymentRecords::reportCanceled.
struct PaymentRecordReportCanceledParams {
  /// Required. When the reported payment was canceled.
  std::optional<std::chrono::sys_seconds> canceledAt{};
  /// Keys to set or to unset, or all of them to unset.
  MetadataEdit metadata{};

  friend std::ostream& operator<<(std::ostream& out, const PaymentRecordReportCanceledParams& value);
};

/// Parameters of PaymentRecords::reportFailed.
struct PaymentRecordReportFailedParams {
  /// Required. When the reported payment failed or errored.
  std::optional<std::chrono::sys_seconds> failedAt{};
  /// Keys to set or to unset, or all of them to unset.
  MetadataEdit metadata{};

  friend std::ostream& operator<<(std::ostream& out, const PaymentRecordReportFailedParams& value);
};

/// Parameters of PaymentRecords::reportGuaranteed.
struct PaymentRecordReportGuaranteedParams {
  /// Required. When the reported payment was guaranteed.
  std::optional<std::chrono::sys_seconds> guaranteedAt{};
  /// Keys to set or to unset, or all of them to unset.
  MetadataEdit metadata{};

  friend std::ostream& operator<<(std::ostream& out, const PaymentRecordReportGuaranteedParams& value);
};

/// Payment records: reports what became of the latest payment attempt, and finds records.
/// Thread-safe. Made by Client::paymentRecords().
class PaymentRecords {
 public:
  explicit PaymentRecords(std::shared_ptr<const detail::Core> core) : core_(std::move(core)) {}

  /// Lists payment records, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<PaymentRecord> list(const PaymentRecordListParams& params = {},
                                          const RequestOptions& options = {}) const;

  /// Finds the payment records that a query describes.
  /// Assumed, see docs/assumptions.md: Searchable resources.
  [[nodiscard]] Pager<PaymentRecord> search(const PaymentRecordSearchParams& params,
                                            const RequestOptions& options = {}) const;

  /// Retrieves a payment record.
  /// Assumed, see docs/assumptions.md: Retrieve.
  [[nodiscard]] Result<PaymentRecord> retrieve(const Id<PaymentRecord>& id,
                                               const RequestOptions& options = {}) const;

  /// Reports the latest payment attempt canceled.
  /// Spec: "Report payment attempt canceled".
  [[nodiscard]] Result<PaymentRecord> reportCanceled(const Id<PaymentRecord>& id,
                                                     const PaymentRecordReportCanceledParams& params,
                                                     const RequestOptions& options = {}) const;

  /// Reports the latest payment attempt failed.
  /// Spec: "Report payment attempt failed".
  [[nodiscard]] Result<PaymentRecord> reportFailed(const Id<PaymentRecord>& id,
                                                   const PaymentRecordReportFailedParams& params,
                                                   const RequestOptions& options = {}) const;

  /// Reports the latest payment attempt guaranteed.
  /// Spec: "Report payment attempt guaranteed".
  [[nodiscard]] Result<PaymentRecord> reportGuaranteed(const Id<PaymentRecord>& id,
                                                       const PaymentRecordReportGuaranteedParams& params,
                                                       const RequestOptions& options = {}) const;

  /// Finds out what became of a report whose response was lost: reads the payment record and compares. Sends
  /// no report. `check` is what is known besides: which `latest_payment_attempt_record` the report is about,
  /// and the payment record as it was. With it, more can be told. See ReportFate. An error has the effect
  /// `unknown`, for nobody knows more than before; but a fault in `id` or `params` has none: no client sends
  /// such a report.
  [[nodiscard]] Result<ReportFate<PaymentRecord>> fateOf(
      const Id<PaymentRecord>& id, const PaymentRecordReportCanceledParams& params,
      const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& check = {},
      const RequestOptions& options = {}) const;
  [[nodiscard]] Result<ReportFate<PaymentRecord>> fateOf(
      const Id<PaymentRecord>& id, const PaymentRecordReportFailedParams& params,
      const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& check = {},
      const RequestOptions& options = {}) const;
  [[nodiscard]] Result<ReportFate<PaymentRecord>> fateOf(
      const Id<PaymentRecord>& id, const PaymentRecordReportGuaranteedParams& params,
      const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& check = {},
      const RequestOptions& options = {}) const;

  /// The same, and sends the report again where it was not applied and nobody else has reported: once, and
  /// then up to `maxNetworkRetries` times. Reads the payment record before each time. With `check`, nothing
  /// is sent while the `latest_payment_attempt_record` is another one. Without it, the report is taken to be
  /// about the one that is read first: if a newer one has begun since the report was lost, that one is
  /// reported on.
  [[nodiscard]] Result<ReportFate<PaymentRecord>> settle(
      const Id<PaymentRecord>& id, const PaymentRecordReportCanceledParams& params,
      const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& check = {},
      const RequestOptions& options = {}) const;
  [[nodiscard]] Result<ReportFate<PaymentRecord>> settle(
      const Id<PaymentRecord>& id, const PaymentRecordReportFailedParams& params,
      const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& check = {},
      const RequestOptions& options = {}) const;
  [[nodiscard]] Result<ReportFate<PaymentRecord>> settle(
      const Id<PaymentRecord>& id, const PaymentRecordReportGuaranteedParams& params,
      const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& check = {},
      const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::Core> core_;
};

}  // namespace tally
