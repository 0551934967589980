// Calls compile only with the parameters of their operation.

#include <string_view>
#include <type_traits>
#include <utility>

#include <tally/payment_intents.h>
#include <tally/payment_records.h>

#include <gtest/gtest.h>

#include "call/call.h"
#include "operations.h"
#include "pagination/pager_impl.h"
#include "reports/report_resolver.h"

namespace tally {
namespace {

template <auto& operation, class... Params>
concept callable =
    requires(const detail::ClientCore& core, std::string_view id, const Params&... given,
             const RequestOptions& options) { detail::call(core, operation, id, given..., options); };

template <auto& operation, class Params>
concept walkable =
    requires(std::shared_ptr<const detail::ClientCore> core, const Params& given,
             const RequestOptions& options) { detail::walkPages(core, operation, given, options); };

template <class Object, auto&... senders>
concept checkable = requires(
    const detail::ClientCore& core, std::string_view id, const PaymentRecordReport& report,
    const ReportCheckOptions<Object, Id<PaymentAttemptRecord>>& known, const RequestOptions& options) {
  detail::checkReport(core, detail::ReportCall{report, senders...}, id, known, options);
  detail::resolveReport(core, detail::ReportCall{report, senders...}, id, known, options);
};

static_assert(callable<detail::paymentRecordsReportFailed, PaymentRecordReportFailedParams>);
static_assert(!callable<detail::paymentRecordsReportFailed, PaymentRecordReportCanceledParams>);
static_assert(!callable<detail::paymentRecordsReportFailed, std::nullptr_t>);
static_assert(!callable<detail::paymentRecordsReportFailed>);
static_assert(callable<detail::paymentRecordsRetrieve>);
static_assert(!callable<detail::paymentRecordsRetrieve, PaymentRecordReportFailedParams>);

static_assert(walkable<detail::paymentRecordsList, PaymentRecordListParams>);
static_assert(!walkable<detail::paymentRecordsList, PaymentIntentListParams>);
static_assert(!walkable<detail::paymentRecordsList, PaymentRecordSearchParams>);

static_assert(checkable<PaymentRecord, detail::paymentRecordsReportCanceled,
                        detail::paymentRecordsReportFailed, detail::paymentRecordsReportGuaranteed>);
static_assert(!checkable<PaymentRecord, detail::paymentRecordsReportFailed,
                         detail::paymentRecordsReportCanceled, detail::paymentRecordsReportGuaranteed>);
static_assert(
    !checkable<PaymentRecord, detail::paymentRecordsReportCanceled, detail::paymentRecordsReportFailed>);
static_assert(!checkable<PaymentIntent, detail::paymentRecordsReportCanceled,
                         detail::paymentRecordsReportFailed, detail::paymentRecordsReportGuaranteed>);

TEST(Operation, ReturnsTheModelTypeOfItsResource) {
  const auto retrieved = [](const detail::ClientCore& core) {
    return detail::call(core, detail::paymentIntentsRetrieve, "pi_1", {});
  };
  using Retrieved = decltype(retrieved(std::declval<const detail::ClientCore&>()));
  EXPECT_TRUE((std::is_same_v<Retrieved, Result<PaymentIntent>>));
}

TEST(Operation, DescribesItsParameters) {
  EXPECT_EQ(detail::paymentRecordsReportFailed.params->name, "payment_record_report_failed_params");
  EXPECT_EQ(detail::paymentRecordsRetrieve.params, nullptr);
}

}  // namespace
}  // namespace tally
