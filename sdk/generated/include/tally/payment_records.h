// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tally/amount.h>
#include <tally/borrowed.h>
#include <tally/id.h>
#include <tally/integer.h>
#include <tally/json.h>
#include <tally/last_response.h>
#include <tally/metadata.h>
#include <tally/open_enum.h>
#include <tally/options.h>
#include <tally/pager.h>
#include <tally/report.h>
#include <tally/report_check.h>
#include <tally/result.h>
#include <tally/search_query.h>
#include <tally/timestamp.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class ClientCore;
}

/// An attempt to pay. Only its identifier is documented.
struct PaymentAttemptRecord;

/// The known values of an open set.
/// Assumed (not specified): Strings with "shown values", such as `customer_presence`.
enum class PaymentRecordCustomerPresence : std::uint8_t {
  onSession,  ///< The customer was present.
};

template <>
struct EnumTexts<PaymentRecordCustomerPresence> {
  static constexpr std::string_view values[] = {
      "on_session",  // onSession
  };
};

/// The known values of an open set.
/// Assumed (not specified): Strings with "shown values", such as `customer_presence`.
enum class PaymentMethodDetailsType : std::uint8_t {
  custom,
};

template <>
struct EnumTexts<PaymentMethodDetailsType> {
  static constexpr std::string_view values[] = {
      "custom",  // custom
  };
};

/// The known values of an open set.
/// Assumed (not specified): Strings with "shown values", such as `customer_presence`.
enum class CustomPaymentMethodType : std::uint8_t {
  custom,
};

template <>
struct EnumTexts<CustomPaymentMethodType> {
  static constexpr std::string_view values[] = {
      "custom",  // custom
  };
};

/// The known values of an open set.
/// Assumed (not specified): Strings with "shown values", such as `customer_presence`.
enum class ProcessorDetailsType : std::uint8_t {
  custom,
};

template <>
struct EnumTexts<ProcessorDetailsType> {
  static constexpr std::string_view values[] = {
      "custom",  // custom
  };
};

/// A payment method defined by the caller.
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
  CustomPaymentMethod custom{};  ///< A payment method defined by the caller.

  bool operator==(const PaymentMethodDetails&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const PaymentMethodDetails& value);
};

/// A processor defined by the caller.
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
  CustomProcessor custom{};  ///< A processor defined by the caller.

  bool operator==(const ProcessorDetails&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const ProcessorDetails& value);
};

/// A payment and the outcome of its latest attempt.
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
  bool livemode{};                                        ///< True in live mode, false in the sandbox.
  Metadata metadata{};                                    ///< Key-value pairs attached by the caller.
  PaymentMethodDetails paymentMethodDetails{};            ///< How the customer paid.
  ProcessorDetails processorDetails{};                    ///< Who processed the payment.
  std::optional<RawJson> shippingDetails{};               ///< Its fields are not documented.
  UnknownFields unknownFields{};                          ///< Other fields that the service sent.
  LastResponse lastResponse{};                            ///< The response that contained the object.

  bool operator==(const PaymentRecord&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const PaymentRecord& value);
};

/// Parameters of PaymentRecords::list.
template <class O>
struct BasicPaymentRecordListParams {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  Held<O, std::optional<Id<PaymentRecord>>> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  Held<O, std::optional<Id<PaymentRecord>>> endingBefore{};

  operator BasicPaymentRecordListParams<detail::OppositeOf<O>>() const&;
  operator BasicPaymentRecordListParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using PaymentRecordListParams = BasicPaymentRecordListParams<Owning>;
std::ostream& operator<<(std::ostream& out, const PaymentRecordListParams& value);

/// Parameters of PaymentRecords::search.
template <class O>
struct BasicPaymentRecordSearchParams {
  /// Required. The search query.
  Held<O, std::optional<SearchQuery<PaymentRecord>>> query{};
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// The `next_page` of the previous page; omitted for the first page.
  Held<O, std::optional<std::string>> page{};
  /// The fields to expand: `total_count`.
  Held<O, std::vector<std::string>> expand{};

  operator BasicPaymentRecordSearchParams<detail::OppositeOf<O>>() const&;
  operator BasicPaymentRecordSearchParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using PaymentRecordSearchParams = BasicPaymentRecordSearchParams<Owning>;
std::ostream& operator<<(std::ostream& out, const PaymentRecordSearchParams& value);

/// Parameters of PaymentRecords::reportCanceled.
template <class O>
struct BasicPaymentRecordReportCanceledParams {
  std::optional<Timestamp> canceledAt{};  ///< Required. When the reported payment was canceled.
  Held<O, MetadataEdit> metadata{};       ///< Sets or unsets keys, or unsets all keys.

  operator BasicPaymentRecordReportCanceledParams<detail::OppositeOf<O>>() const&;
  operator BasicPaymentRecordReportCanceledParams<Borrowing>() const&& =
      delete;  // a temporary: give it a name
};

using PaymentRecordReportCanceledParams = BasicPaymentRecordReportCanceledParams<Owning>;
std::ostream& operator<<(std::ostream& out, const PaymentRecordReportCanceledParams& value);

/// Parameters of PaymentRecords::reportFailed.
template <class O>
struct BasicPaymentRecordReportFailedParams {
  std::optional<Timestamp> failedAt{};  ///< Required. When the reported payment failed or errored.
  Held<O, MetadataEdit> metadata{};     ///< Sets or unsets keys, or unsets all keys.

  operator BasicPaymentRecordReportFailedParams<detail::OppositeOf<O>>() const&;
  operator BasicPaymentRecordReportFailedParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using PaymentRecordReportFailedParams = BasicPaymentRecordReportFailedParams<Owning>;
std::ostream& operator<<(std::ostream& out, const PaymentRecordReportFailedParams& value);

/// Parameters of PaymentRecords::reportGuaranteed.
template <class O>
struct BasicPaymentRecordReportGuaranteedParams {
  std::optional<Timestamp> guaranteedAt{};  ///< Required. When the reported payment was guaranteed.
  Held<O, MetadataEdit> metadata{};         ///< Sets or unsets keys, or unsets all keys.

  operator BasicPaymentRecordReportGuaranteedParams<detail::OppositeOf<O>>() const&;
  operator BasicPaymentRecordReportGuaranteedParams<Borrowing>() const&& =
      delete;  // a temporary: give it a name
};

using PaymentRecordReportGuaranteedParams = BasicPaymentRecordReportGuaranteedParams<Owning>;
std::ostream& operator<<(std::ostream& out, const PaymentRecordReportGuaranteedParams& value);

/// Any report on a payment record: the parameters of the method that sends it, which convert to this type
/// implicitly.
template <class O>
struct BasicPaymentRecordReport
    : std::variant<BasicPaymentRecordReportCanceledParams<O>, BasicPaymentRecordReportFailedParams<O>,
                   BasicPaymentRecordReportGuaranteedParams<O>> {
  BasicPaymentRecordReport() = default;
  template <class Params>
    requires detail::isFormExcept<std::remove_cvref_t<Params>, BasicPaymentRecordReport> &&
             std::constructible_from<typename BasicPaymentRecordReport::variant, Params&&>
  BasicPaymentRecordReport(Params&& params)
      : BasicPaymentRecordReport::variant(std::forward<Params>(params)) {}

  operator BasicPaymentRecordReport<detail::OppositeOf<O>>() const&;
  operator BasicPaymentRecordReport<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using PaymentRecordReport = BasicPaymentRecordReport<Owning>;
std::ostream& operator<<(std::ostream& out, const PaymentRecordReport& value);

/// The fields for conditions in a search of PaymentRecords. See <tally/search_query.h>.
struct PaymentRecordSearchFields {
  struct AmountRequestedFields : query::FieldGroup<PaymentRecord> {
    query::TextField<PaymentRecord> currency;
    query::NumberField<PaymentRecord> value;
  };
  struct ProcessorDetailsCustomFields : query::FieldGroup<PaymentRecord> {
    query::TextField<PaymentRecord> paymentReference;
  };
  struct ProcessorDetailsFields : query::FieldGroup<PaymentRecord> {
    ProcessorDetailsCustomFields custom;
  };

  static constexpr AmountRequestedFields amountRequested{
      {}, {"amount_requested.currency"}, {"amount_requested.value"}};
  static constexpr query::TimeField<PaymentRecord> created{"created"};
  static constexpr query::EnumField<PaymentRecord, PaymentRecordCustomerPresence> customerPresence{
      "customer_presence"};
  static constexpr query::TextField<PaymentRecord> description{"description"};
  static constexpr query::IdField<PaymentRecord, PaymentAttemptRecord> latestPaymentAttemptRecord{
      "latest_payment_attempt_record"};
  static constexpr query::MetadataField<PaymentRecord> metadata{"metadata"};
  static constexpr ProcessorDetailsFields processorDetails{
      {}, {{}, {"processor_details.custom.payment_reference"}}};
};

/// Reports the outcomes of payment attempts, and retrieves, lists and searches payment records.
/// Thread-safe; may outlive its Client. Made by Client::paymentRecords().
class PaymentRecords {
 public:
  explicit PaymentRecords(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}
  // No move operations: a move would leave the source without a client.
  PaymentRecords(const PaymentRecords&) = default;
  PaymentRecords& operator=(const PaymentRecords&) = default;
  ~PaymentRecords() = default;

  /// Lists payment records, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<PaymentRecord> list(const PaymentRecordListParams& params = {},
                                          const RequestOptions& options = {}) const;

  /// Searches payment records.
  /// Assumed (not specified): Searchable resources.
  [[nodiscard]] Pager<PaymentRecord> search(const PaymentRecordSearchParams& params,
                                            const RequestOptions& options = {}) const;

  /// The same with a condition on fields in PaymentRecordSearchFields.
  template <query::IsCondition C>
  [[nodiscard]] Pager<PaymentRecord> search(const C& condition, const RequestOptions& options = {}) const {
    return search(PaymentRecordSearchParams{.query = condition}, options);
  }

  /// Retrieves a payment record.
  /// Assumed (not specified): The retrieve operation.
  [[nodiscard]] Result<PaymentRecord> retrieve(const Id<PaymentRecord>& id,
                                               const RequestOptions& options = {}) const;

  /// Reports the latest payment attempt as canceled.
  /// Spec: "Report payment attempt canceled".
  [[nodiscard]] Result<PaymentRecord> reportCanceled(const Id<PaymentRecord>& id,
                                                     const PaymentRecordReportCanceledParams& params,
                                                     const RequestOptions& options = {}) const;

  /// Reports the latest payment attempt as failed.
  /// Spec: "Report payment attempt failed".
  [[nodiscard]] Result<PaymentRecord> reportFailed(const Id<PaymentRecord>& id,
                                                   const PaymentRecordReportFailedParams& params,
                                                   const RequestOptions& options = {}) const;

  /// Reports the latest payment attempt as guaranteed.
  /// Spec: "Report payment attempt guaranteed".
  [[nodiscard]] Result<PaymentRecord> reportGuaranteed(const Id<PaymentRecord>& id,
                                                       const PaymentRecordReportGuaranteedParams& params,
                                                       const RequestOptions& options = {}) const;

  /// Sends any report on a payment record, like the method that takes these parameters.
  [[nodiscard]] Result<PaymentRecord> report(const Id<PaymentRecord>& id, const PaymentRecordReport& report,
                                             const RequestOptions& options = {}) const;

  /// The same for a Report, which can come from a string. The call ends in ErrorKind::invalidParameter if no
  /// client can send the Report, or if it is on another resource.
  [[nodiscard]] Result<PaymentRecord> report(const Report& report, const RequestOptions& options = {}) const;

  /// Determines whether a report whose response was lost has been applied, by reading the payment record and
  /// comparing it with the report. Sends no report. `known` is what else the caller knows: the
  /// `latest_payment_attempt_record` that the report is about, and the payment record before the report. This
  /// makes more cases decidable. See ReportCheck. Errors have the effect `unknown`, because the outcome of
  /// the report is still unknown. Only an error about `id` or `report` has the effect `none`, because no
  /// client sends such a report.
  [[nodiscard]] Result<ReportCheck<PaymentRecord>> checkReport(
      const Id<PaymentRecord>& id, const PaymentRecordReport& report,
      const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& known = {},
      const RequestOptions& options = {}) const;

  /// Like checkReport(), but sends the report again if it has not been applied and the payment record shows
  /// no other report: once, and then up to `maxNetworkRetries` more times. Reads the payment record before
  /// each send. If `known` is given, sends nothing while the payment record shows another
  /// `latest_payment_attempt_record`. Otherwise, the report is assumed to be about the
  /// `latest_payment_attempt_record` that is read first, even if that one began after the response was lost.
  [[nodiscard]] Result<ReportCheck<PaymentRecord>> resolveReport(
      const Id<PaymentRecord>& id, const PaymentRecordReport& report,
      const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& known = {},
      const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
