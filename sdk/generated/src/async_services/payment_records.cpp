// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_payment_records.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "async/async_reports.h"
#include "operations.h"
#include "report_calls.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<PaymentRecord>::value;

static_assert(std::is_trivially_destructible_v<Borrowed<PaymentRecordListParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<PaymentRecordSearchParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<PaymentRecordReportCanceledParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<PaymentRecordReportFailedParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<PaymentRecordReportGuaranteedParams>>);

AsyncPager<PaymentRecord> AsyncPaymentRecords::list(const Borrowed<PaymentRecordListParams>& params,
                                                    const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::paymentRecordsList, params, options);
}

AsyncPager<PaymentRecord> AsyncPaymentRecords::search(const Borrowed<PaymentRecordSearchParams>& params,
                                                      const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::paymentRecordsSearch, params, options);
}

Call<PaymentRecord> AsyncPaymentRecords::retrieve(const Id<PaymentRecord>& id,
                                                  const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::paymentRecordsRetrieve, id.str(), options);
}

Call<PaymentRecord> AsyncPaymentRecords::reportCanceled(
    const Id<PaymentRecord>& id, const Borrowed<PaymentRecordReportCanceledParams>& params,
    const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::paymentRecordsReportCanceled, id.str(), params, options);
}

Call<PaymentRecord> AsyncPaymentRecords::reportFailed(const Id<PaymentRecord>& id,
                                                      const Borrowed<PaymentRecordReportFailedParams>& params,
                                                      const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::paymentRecordsReportFailed, id.str(), params, options);
}

Call<PaymentRecord> AsyncPaymentRecords::reportGuaranteed(
    const Id<PaymentRecord>& id, const Borrowed<PaymentRecordReportGuaranteedParams>& params,
    const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::paymentRecordsReportGuaranteed, id.str(), params, options);
}

Call<PaymentRecord> AsyncPaymentRecords::report(const Id<PaymentRecord>& id,
                                                const Borrowed<PaymentRecordReport>& report,
                                                const Borrowed<RequestOptions>& options) const {
  return detail::asyncSendReport<PaymentRecord>(engine_, detail::callOf(report), id.str(), options);
}

Call<PaymentRecord> AsyncPaymentRecords::report(const Report& report,
                                                const Borrowed<RequestOptions>& options) const {
  return detail::asyncSendReport<PaymentRecord>(engine_, detail::paymentRecordResource, report, options);
}

Call<ReportCheck<PaymentRecord>> AsyncPaymentRecords::checkReport(
    const Id<PaymentRecord>& id, const Borrowed<PaymentRecordReport>& report,
    const Borrowed<ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>>& known,
    const Borrowed<RequestOptions>& options) const {
  return detail::asyncCheckReport<PaymentRecord, PaymentRecordReport, Id<PaymentAttemptRecord>>(
      engine_, report, &detail::callOf, id.str(), known, options);
}

Call<ReportCheck<PaymentRecord>> AsyncPaymentRecords::resolveReport(
    const Id<PaymentRecord>& id, const Borrowed<PaymentRecordReport>& report,
    const Borrowed<ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>>& known,
    const Borrowed<RequestOptions>& options) const {
  return detail::asyncResolveReport<PaymentRecord, PaymentRecordReport, Id<PaymentAttemptRecord>>(
      engine_, report, &detail::callOf, id.str(), known, options);
}

template class AsyncPager<PaymentRecord>;

}  // namespace tally
