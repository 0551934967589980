// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/payment_records.h>

#include "call/call.h"
#include "operations.h"
#include "pagination/pager_impl.h"
#include "reports/settle.h"

namespace tally {

template <>
const detail::Struct detail::Schema<PaymentRecord>::value;

Pager<PaymentRecord> PaymentRecords::list(const PaymentRecordListParams& params,
                                          const RequestOptions& options) const {
  return detail::walk(core_, detail::paymentRecordsList, params, options);
}

Pager<PaymentRecord> PaymentRecords::search(const PaymentRecordSearchParams& params,
                                            const RequestOptions& options) const {
  return detail::walk(core_, detail::paymentRecordsSearch, params, options);
}

Result<PaymentRecord> PaymentRecords::retrieve(const Id<PaymentRecord>& id,
                                               const RequestOptions& options) const {
  return detail::call(*core_, detail::paymentRecordsRetrieve, id.str(), options);
}

Result<PaymentRecord> PaymentRecords::reportCanceled(const Id<PaymentRecord>& id,
                                                     const PaymentRecordReportCanceledParams& params,
                                                     const RequestOptions& options) const {
  return detail::call(*core_, detail::paymentRecordsReportCanceled, id.str(), params, options);
}

Result<PaymentRecord> PaymentRecords::reportFailed(const Id<PaymentRecord>& id,
                                                   const PaymentRecordReportFailedParams& params,
                                                   const RequestOptions& options) const {
  return detail::call(*core_, detail::paymentRecordsReportFailed, id.str(), params, options);
}

Result<PaymentRecord> PaymentRecords::reportGuaranteed(const Id<PaymentRecord>& id,
                                                       const PaymentRecordReportGuaranteedParams& params,
                                                       const RequestOptions& options) const {
  return detail::call(*core_, detail::paymentRecordsReportGuaranteed, id.str(), params, options);
}

Result<ReportFate<PaymentRecord>> PaymentRecords::fateOf(
    const Id<PaymentRecord>& id, const PaymentRecordReportCanceledParams& params,
    const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& check,
    const RequestOptions& options) const {
  return detail::fateOf(*core_, detail::paymentRecordsReportCanceled, id.str(), params, check, options);
}

Result<ReportFate<PaymentRecord>> PaymentRecords::fateOf(
    const Id<PaymentRecord>& id, const PaymentRecordReportFailedParams& params,
    const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& check,
    const RequestOptions& options) const {
  return detail::fateOf(*core_, detail::paymentRecordsReportFailed, id.str(), params, check, options);
}

Result<ReportFate<PaymentRecord>> PaymentRecords::fateOf(
    const Id<PaymentRecord>& id, const PaymentRecordReportGuaranteedParams& params,
    const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& check,
    const RequestOptions& options) const {
  return detail::fateOf(*core_, detail::paymentRecordsReportGuaranteed, id.str(), params, check, options);
}

Result<ReportFate<PaymentRecord>> PaymentRecords::settle(
    const Id<PaymentRecord>& id, const PaymentRecordReportCanceledParams& params,
    const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& check,
    const RequestOptions& options) const {
  return detail::settle(*core_, detail::paymentRecordsReportCanceled, id.str(), params, check, options);
}

Result<ReportFate<PaymentRecord>> PaymentRecords::settle(
    const Id<PaymentRecord>& id, const PaymentRecordReportFailedParams& params,
    const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& check,
    const RequestOptions& options) const {
  return detail::settle(*core_, detail::paymentRecordsReportFailed, id.str(), params, check, options);
}

Result<ReportFate<PaymentRecord>> PaymentRecords::settle(
    const Id<PaymentRecord>& id, const PaymentRecordReportGuaranteedParams& params,
    const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& check,
    const RequestOptions& options) const {
  return detail::settle(*core_, detail::paymentRecordsReportGuaranteed, id.str(), params, check, options);
}

template class Pager<PaymentRecord>;
template class Pages<PaymentRecord>;
template std::ostream& operator<<(std::ostream& out, const Page<PaymentRecord>& value);

}  // namespace tally
