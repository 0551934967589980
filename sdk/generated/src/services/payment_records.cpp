// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/payment_records.h>

#include "call/call.h"
#include "operations.h"
#include "pagination/pager_impl.h"
#include "report_calls.h"
#include "reports/prepared_report.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<PaymentRecord>::value;

Pager<PaymentRecord> PaymentRecords::list(const PaymentRecordListParams& params,
                                          const RequestOptions& options) const {
  return detail::walkPages(core_, detail::paymentRecordsList, params, options);
}

Pager<PaymentRecord> PaymentRecords::search(const PaymentRecordSearchParams& params,
                                            const RequestOptions& options) const {
  return detail::walkPages(core_, detail::paymentRecordsSearch, params, options);
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

}  // namespace tally

namespace tally::detail {

// clang-format off: one per line
ReportCall<PaymentRecord> callOf(const PaymentRecordReport& report) {
  return {report,
          paymentRecordsReportCanceled,
          paymentRecordsReportFailed,
          paymentRecordsReportGuaranteed
  };
}
// clang-format on

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

Result<ReportCheck<PaymentRecord>> PaymentRecords::checkReport(
    const Id<PaymentRecord>& id, const PaymentRecordReport& report,
    const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& known,
    const RequestOptions& options) const {
  return detail::checkReport(*core_, detail::callOf(report), id.str(), known, options);
}

Result<ReportCheck<PaymentRecord>> PaymentRecords::resolveReport(
    const Id<PaymentRecord>& id, const PaymentRecordReport& report,
    const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>& known,
    const RequestOptions& options) const {
  return detail::resolveReport(*core_, detail::callOf(report), id.str(), known, options);
}

template <class O>
BasicPaymentRecordReport<O>::operator BasicPaymentRecordReport<detail::OppositeOf<O>>() const& {
  return std::visit(
      [](const auto& params) -> BasicPaymentRecordReport<detail::OppositeOf<O>> { return params; }, *this);
}
template struct BasicPaymentRecordReport<Owning>;
template struct BasicPaymentRecordReport<Borrowing>;

std::ostream& operator<<(std::ostream& out, const PaymentRecordReport& value) {
  return std::visit([&](const auto& report) -> std::ostream& { return out << report; }, value);
}

Result<PaymentRecord> PaymentRecords::report(const Id<PaymentRecord>& id, const PaymentRecordReport& report,
                                             const RequestOptions& options) const {
  return detail::sendReport<PaymentRecord>(*core_, detail::callOf(report), id.str(), options);
}

Result<PaymentRecord> PaymentRecords::report(const Report& report, const RequestOptions& options) const {
  return detail::sendReport<PaymentRecord>(*core_, detail::paymentRecordResource, report, options);
}

template class Pager<PaymentRecord>;
template class Pages<PaymentRecord>;
template std::ostream& operator<<(std::ostream& out, const Page<PaymentRecord>& value);

}  // namespace tally
