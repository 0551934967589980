// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/payment_records.h>

#include "json/model_json_impl.h"
#include "operations.h"
#include "print/printer.h"

namespace tally::detail {

template <>
const Struct Schema<Amount>::value;
template <>
const Struct Schema<CustomPaymentMethod>::value;
template <>
const Struct Schema<CustomProcessor>::value;
template <>
const Struct Schema<PaymentMethodDetails>::value;
template <>
const Struct Schema<ProcessorDetails>::value;

namespace {

constexpr Field customPaymentMethodFields[] = {
    field<&CustomPaymentMethod::displayName>("display_name", Presence::required),
    field<&CustomPaymentMethod::type>("type", Presence::required),
};

constexpr Field paymentMethodDetailsFields[] = {
    field<&PaymentMethodDetails::type>("type", Presence::required),
    nullable(field<&PaymentMethodDetails::billingDetails>("billing_details", Presence::required)),
    nullable(field<&PaymentMethodDetails::paymentMethod>("payment_method", Presence::required)),
    field<&PaymentMethodDetails::custom>("custom", Presence::required),
};

constexpr Field customProcessorFields[] = {
    field<&CustomProcessor::paymentReference>("payment_reference", Presence::required),
};

constexpr Field processorDetailsFields[] = {
    field<&ProcessorDetails::type>("type", Presence::required),
    field<&ProcessorDetails::custom>("custom", Presence::required),
};

constexpr Field paymentRecordFields[] = {
    identifier("pr_", field<&PaymentRecord::id>("id", Presence::required)),
    constant("object", "payment_record"),
    field<&PaymentRecord::amountRequested>("amount_requested", Presence::required),
    field<&PaymentRecord::amountCanceled>("amount_canceled", Presence::required),
    field<&PaymentRecord::amountFailed>("amount_failed", Presence::required),
    field<&PaymentRecord::amountGuaranteed>("amount_guaranteed", Presence::required),
    field<&PaymentRecord::amountRefunded>("amount_refunded", Presence::required),
    field<&PaymentRecord::created>("created", Presence::required),
    nullable(field<&PaymentRecord::customerDetails>("customer_details", Presence::required)),
    field<&PaymentRecord::customerPresence>("customer_presence", Presence::required),
    field<&PaymentRecord::description>("description", Presence::required),
    identifier("par_", field<&PaymentRecord::latestPaymentAttemptRecord>("latest_payment_attempt_record",
                                                                         Presence::required)),
    field<&PaymentRecord::livemode>("livemode", Presence::required),
    field<&PaymentRecord::metadata>("metadata", Presence::required),
    field<&PaymentRecord::paymentMethodDetails>("payment_method_details", Presence::required),
    field<&PaymentRecord::processorDetails>("processor_details", Presence::required),
    nullable(field<&PaymentRecord::shippingDetails>("shipping_details", Presence::required)),
};

constexpr Field paymentRecordListParamsFields[] = {
    between(1, 100, field<&PaymentRecordListParams::limit>("limit")),
    excluding("ending_before",
              identifier("pr_", field<&PaymentRecordListParams::startingAfter>("starting_after"))),
    excluding("starting_after",
              identifier("pr_", field<&PaymentRecordListParams::endingBefore>("ending_before"))),
};

constexpr Field paymentRecordSearchParamsFields[] = {
    field<&PaymentRecordSearchParams::query>("query", Presence::required),
    between(1, 100, field<&PaymentRecordSearchParams::limit>("limit")),
    field<&PaymentRecordSearchParams::page>("page"),
    field<&PaymentRecordSearchParams::expand>("expand"),
};

constexpr Field paymentRecordReportCanceledParamsFields[] = {
    atLeast(0, field<&PaymentRecordReportCanceledParams::canceledAt>("canceled_at", Presence::required)),
    field<&PaymentRecordReportCanceledParams::metadata>("metadata"),
};

constexpr Field paymentRecordReportFailedParamsFields[] = {
    atLeast(0, field<&PaymentRecordReportFailedParams::failedAt>("failed_at", Presence::required)),
    field<&PaymentRecordReportFailedParams::metadata>("metadata"),
};

constexpr Field paymentRecordReportGuaranteedParamsFields[] = {
    atLeast(0,
            field<&PaymentRecordReportGuaranteedParams::guaranteedAt>("guaranteed_at", Presence::required)),
    field<&PaymentRecordReportGuaranteedParams::metadata>("metadata"),
};

}  // namespace

template <>
constinit const Struct Schema<CustomPaymentMethod>::value =
    describe<CustomPaymentMethod>("custom_payment_method", customPaymentMethodFields);
template <>
constinit const Struct Schema<PaymentMethodDetails>::value =
    describe<PaymentMethodDetails>("payment_method_details", paymentMethodDetailsFields);
template <>
constinit const Struct Schema<CustomProcessor>::value =
    describe<CustomProcessor>("custom_processor", customProcessorFields);
template <>
constinit const Struct Schema<ProcessorDetails>::value =
    describe<ProcessorDetails>("processor_details", processorDetailsFields);
template <>
constinit const Struct Schema<PaymentRecord>::value =
    describe<PaymentRecord>("payment_record", paymentRecordFields);
template <>
constinit const Struct Schema<PaymentRecordListParams>::value =
    describe<PaymentRecordListParams>("payment_record_list_params", paymentRecordListParamsFields);
template <>
constinit const Struct Schema<PaymentRecordSearchParams>::value =
    describe<PaymentRecordSearchParams>("payment_record_search_params", paymentRecordSearchParamsFields);
template <>
constinit const Struct Schema<PaymentRecordReportCanceledParams>::value =
    describe<PaymentRecordReportCanceledParams>("payment_record_report_canceled_params",
                                                paymentRecordReportCanceledParamsFields);
template <>
constinit const Struct Schema<PaymentRecordReportFailedParams>::value =
    describe<PaymentRecordReportFailedParams>("payment_record_report_failed_params",
                                              paymentRecordReportFailedParamsFields);
template <>
constinit const Struct Schema<PaymentRecordReportGuaranteedParams>::value =
    describe<PaymentRecordReportGuaranteedParams>("payment_record_report_guaranteed_params",
                                                  paymentRecordReportGuaranteedParamsFields);

namespace {

namespace paymentRecordStates {

enum : std::uint8_t {
  stateUnreported,
  stateCanceled,
  stateFailed,
  stateGuaranteed,
};

constexpr std::string_view states[] = {
    "unreported",  // stateUnreported
    "canceled",    // stateCanceled
    "failed",      // stateFailed
    "guaranteed",  // stateGuaranteed
};

constexpr Assignment shownInUnreported[] = {
    {.target = "amount_canceled.value", .constant = "0"},
    {.target = "amount_failed.value", .constant = "0"},
    {.target = "amount_guaranteed.value", .constant = "0"},
};

constexpr Assignment shownInCanceled[] = {
    {.target = "amount_canceled", .source = "amount_requested"},
    {.target = "amount_failed.value", .constant = "0"},
    {.target = "amount_guaranteed.value", .constant = "0"},
};

constexpr Assignment shownInFailed[] = {
    {.target = "amount_failed", .source = "amount_requested"},
    {.target = "amount_canceled.value", .constant = "0"},
    {.target = "amount_guaranteed.value", .constant = "0"},
};

constexpr Assignment shownInGuaranteed[] = {
    {.target = "amount_guaranteed", .source = "amount_requested"},
    {.target = "amount_canceled.value", .constant = "0"},
    {.target = "amount_failed.value", .constant = "0"},
};

constexpr std::span<const Assignment> shows[] = {
    shownInUnreported,  // stateUnreported
    shownInCanceled,    // stateCanceled
    shownInFailed,      // stateFailed
    shownInGuaranteed,  // stateGuaranteed
};

constexpr Assignment effectsOfReportCanceled[] = {
    {.target = "amount_canceled", .source = "amount_requested"},
    {.target = "amount_failed.value", .constant = "0"},
    {.target = "amount_guaranteed.value", .constant = "0"},
};

constexpr Assignment effectsOfReportFailed[] = {
    {.target = "amount_failed", .source = "amount_requested"},
    {.target = "amount_canceled.value", .constant = "0"},
    {.target = "amount_guaranteed.value", .constant = "0"},
};

constexpr Assignment effectsOfReportGuaranteed[] = {
    {.target = "amount_guaranteed", .source = "amount_requested"},
    {.target = "amount_canceled.value", .constant = "0"},
    {.target = "amount_failed.value", .constant = "0"},
};

constexpr Transition transitions[] = {
    {
        .trigger = &paymentRecordsReportCanceled,
        .before = 1U << stateUnreported | 1U << stateCanceled | 1U << stateFailed,
        .after = stateCanceled,
        .effects = effectsOfReportCanceled,
    },
    {
        .trigger = &paymentRecordsReportFailed,
        .before = 1U << stateUnreported | 1U << stateCanceled | 1U << stateFailed,
        .after = stateFailed,
        .effects = effectsOfReportFailed,
    },
    {
        .trigger = &paymentRecordsReportGuaranteed,
        .before = 1U << stateUnreported | 1U << stateCanceled | 1U << stateFailed,
        .after = stateGuaranteed,
        .effects = effectsOfReportGuaranteed,
    },
};

constexpr StateRefusal refusals[] = {
    {
        .trigger = &paymentRecordsReportCanceled,
        .before = 1U << stateGuaranteed,
        .error = "payment_attempt_already_guaranteed",
    },
    {
        .trigger = &paymentRecordsReportFailed,
        .before = 1U << stateGuaranteed,
        .error = "payment_attempt_already_guaranteed",
    },
    {
        .trigger = &paymentRecordsReportGuaranteed,
        .before = 1U << stateGuaranteed,
        .error = "payment_attempt_already_guaranteed",
    },
};

constexpr StateMachine machine{
    .of = "latest_payment_attempt_record",
    .retrieve = &paymentRecordsRetrieve,
    .states = states,
    .initial = stateUnreported,
    .shows = shows,
    .transitions = transitions,
    .refusals = refusals,
};

}  // namespace paymentRecordStates

}  // namespace

constinit const Resource paymentRecordResource{
    .name = "payment_record",
    .plural = "payment_records",
    .idPrefix = "pr_",
    .model = &Schema<PaymentRecord>::value,
    .machine = &paymentRecordStates::machine,
};

constinit decltype(paymentRecordsList) paymentRecordsList{AnyOperation{
    .name = "payment_records.list",
    .kind = OperationKind::list,
    .method = Method::get,
    .path = "/v1/payment_records",
    .resource = &paymentRecordResource,
}};

constinit decltype(paymentRecordsSearch) paymentRecordsSearch{AnyOperation{
    .name = "payment_records.search",
    .kind = OperationKind::search,
    .method = Method::get,
    .path = "/v1/payment_records/search",
    .resource = &paymentRecordResource,
}};

constinit decltype(paymentRecordsRetrieve) paymentRecordsRetrieve{AnyOperation{
    .name = "payment_records.retrieve",
    .kind = OperationKind::retrieve,
    .method = Method::get,
    .path = "/v1/payment_records/{id}",
    .resource = &paymentRecordResource,
}};

constinit decltype(paymentRecordsReportCanceled) paymentRecordsReportCanceled{AnyOperation{
    .name = "payment_records.report_canceled",
    .kind = OperationKind::report,
    .method = Method::post,
    .path = "/v1/payment_records/{id}/report_payment_attempt_canceled",
    .resource = &paymentRecordResource,
    .body = BodyEncoding::form,
}};

constinit decltype(paymentRecordsReportFailed) paymentRecordsReportFailed{AnyOperation{
    .name = "payment_records.report_failed",
    .kind = OperationKind::report,
    .method = Method::post,
    .path = "/v1/payment_records/{id}/report_payment_attempt_failed",
    .resource = &paymentRecordResource,
    .body = BodyEncoding::form,
}};

constinit decltype(paymentRecordsReportGuaranteed) paymentRecordsReportGuaranteed{AnyOperation{
    .name = "payment_records.report_guaranteed",
    .kind = OperationKind::report,
    .method = Method::post,
    .path = "/v1/payment_records/{id}/report_payment_attempt_guaranteed",
    .resource = &paymentRecordResource,
    .body = BodyEncoding::form,
}};

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const CustomPaymentMethod& value) {
  return detail::print(out, value);
}

template std::string toJson(const CustomPaymentMethod& object);
template Result<CustomPaymentMethod> fromJson(std::string_view json);

std::ostream& operator<<(std::ostream& out, const PaymentMethodDetails& value) {
  return detail::print(out, value);
}

template std::string toJson(const PaymentMethodDetails& object);
template Result<PaymentMethodDetails> fromJson(std::string_view json);

std::ostream& operator<<(std::ostream& out, const CustomProcessor& value) {
  return detail::print(out, value);
}

template std::string toJson(const CustomProcessor& object);
template Result<CustomProcessor> fromJson(std::string_view json);

std::ostream& operator<<(std::ostream& out, const ProcessorDetails& value) {
  return detail::print(out, value);
}

template std::string toJson(const ProcessorDetails& object);
template Result<ProcessorDetails> fromJson(std::string_view json);

std::ostream& operator<<(std::ostream& out, const PaymentRecord& value) {
  return detail::print(out, value);
}

template std::string toJson(const PaymentRecord& object);
template Result<PaymentRecord> fromJson(std::string_view json);

template <class O>
BasicPaymentRecordListParams<O>::operator BasicPaymentRecordListParams<detail::OppositeOf<O>>() const& {
  return {.limit = limit, .startingAfter = startingAfter, .endingBefore = endingBefore};
}
template struct BasicPaymentRecordListParams<Owning>;
template struct BasicPaymentRecordListParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const PaymentRecordListParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicPaymentRecordSearchParams<O>::operator BasicPaymentRecordSearchParams<detail::OppositeOf<O>>() const& {
  return {.query = query, .limit = limit, .page = page, .expand = expand};
}
template struct BasicPaymentRecordSearchParams<Owning>;
template struct BasicPaymentRecordSearchParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const PaymentRecordSearchParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicPaymentRecordReportCanceledParams<O>::operator BasicPaymentRecordReportCanceledParams<
    detail::OppositeOf<O>>() const& {
  return {.canceledAt = canceledAt, .metadata = metadata};
}
template struct BasicPaymentRecordReportCanceledParams<Owning>;
template struct BasicPaymentRecordReportCanceledParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const PaymentRecordReportCanceledParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicPaymentRecordReportFailedParams<O>::operator BasicPaymentRecordReportFailedParams<
    detail::OppositeOf<O>>() const& {
  return {.failedAt = failedAt, .metadata = metadata};
}
template struct BasicPaymentRecordReportFailedParams<Owning>;
template struct BasicPaymentRecordReportFailedParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const PaymentRecordReportFailedParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicPaymentRecordReportGuaranteedParams<O>::operator BasicPaymentRecordReportGuaranteedParams<
    detail::OppositeOf<O>>() const& {
  return {.guaranteedAt = guaranteedAt, .metadata = metadata};
}
template struct BasicPaymentRecordReportGuaranteedParams<Owning>;
template struct BasicPaymentRecordReportGuaranteedParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const PaymentRecordReportGuaranteedParams& value) {
  return detail::print(out, value);
}

}  // namespace tally
