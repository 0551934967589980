// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_payment_records.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "async/async_reports.h"
#include "operations.h"
#include "report_calls.h"

namespace tally {

template <>
const detail::Struct detail::Schema<PaymentRecord>::value;

namespace {

static_assert(std::is_trivially_destructible_v<PaymentRecordListArgs>);
PaymentRecordListParams own(const PaymentRecordListArgs& args) {
  return {
      .limit = detail::own(args.limit),
      .startingAfter = detail::own(args.startingAfter),
      .endingBefore = detail::own(args.endingBefore),
  };
}

static_assert(std::is_trivially_destructible_v<PaymentRecordSearchArgs>);
PaymentRecordSearchParams own(const PaymentRecordSearchArgs& args) {
  return {
      .query = detail::own(args.query),
      .limit = detail::own(args.limit),
      .page = detail::own(args.page),
      .expand = detail::own(args.expand),
  };
}

static_assert(std::is_trivially_destructible_v<PaymentRecordReportCanceledArgs>);
PaymentRecordReportCanceledParams own(const PaymentRecordReportCanceledArgs& args) {
  return {
      .canceledAt = detail::own(args.canceledAt),
      .metadata = detail::own(args.metadata),
  };
}

static_assert(std::is_trivially_destructible_v<PaymentRecordReportFailedArgs>);
PaymentRecordReportFailedParams own(const PaymentRecordReportFailedArgs& args) {
  return {
      .failedAt = detail::own(args.failedAt),
      .metadata = detail::own(args.metadata),
  };
}

static_assert(std::is_trivially_destructible_v<PaymentRecordReportGuaranteedArgs>);
PaymentRecordReportGuaranteedParams own(const PaymentRecordReportGuaranteedArgs& args) {
  return {
      .guaranteedAt = detail::own(args.guaranteedAt),
      .metadata = detail::own(args.metadata),
  };
}

static_assert(std::is_trivially_destructible_v<PaymentRecordReportArgs>);
PaymentRecordReport own(const PaymentRecordReportArgs& report) {
  return report.report([](const auto& args) { return own(args); });
}

}  // namespace

AsyncPager<PaymentRecord> AsyncPaymentRecords::list(const PaymentRecordListArgs& args,
                                                    const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::paymentRecordsList, own(args), options);
}

AsyncPager<PaymentRecord> AsyncPaymentRecords::search(const PaymentRecordSearchArgs& args,
                                                      const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::paymentRecordsSearch, own(args), options);
}

Call<PaymentRecord> AsyncPaymentRecords::retrieve(const Id<PaymentRecord>& id,
                                                  const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::paymentRecordsRetrieve, id.str(), options);
}

Call<PaymentRecord> AsyncPaymentRecords::reportCanceled(const Id<PaymentRecord>& id,
                                                        const PaymentRecordReportCanceledArgs& args,
                                                        const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::paymentRecordsReportCanceled, id.str(), own(args), options);
}

Call<PaymentRecord> AsyncPaymentRecords::reportFailed(const Id<PaymentRecord>& id,
                                                      const PaymentRecordReportFailedArgs& args,
                                                      const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::paymentRecordsReportFailed, id.str(), own(args), options);
}

Call<PaymentRecord> AsyncPaymentRecords::reportGuaranteed(const Id<PaymentRecord>& id,
                                                          const PaymentRecordReportGuaranteedArgs& args,
                                                          const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::paymentRecordsReportGuaranteed, id.str(), own(args), options);
}

Call<PaymentRecord> AsyncPaymentRecords::report(const Id<PaymentRecord>& id,
                                                const PaymentRecordReportArgs& report,
                                                const CallOptions& options) const {
  return detail::asyncSendReport<PaymentRecord>(engine_, detail::callOf(own(report)), id.str(), options);
}

Call<PaymentRecord> AsyncPaymentRecords::report(const Report& report, const CallOptions& options) const {
  return detail::asyncSendReport<PaymentRecord>(engine_, detail::paymentRecordResource, report, options);
}

Call<ReportCheck<PaymentRecord>> AsyncPaymentRecords::checkReport(
    const Id<PaymentRecord>& id, const PaymentRecordReportArgs& report,
    const ReportCheckArgs<PaymentRecord, Id<PaymentAttemptRecord>>& known, const CallOptions& options) const {
  return detail::asyncCheckReport<PaymentRecord>(engine_, own(report), &detail::callOf, id.str(),
                                                 detail::own(known), options);
}

Call<ReportCheck<PaymentRecord>> AsyncPaymentRecords::resolveReport(
    const Id<PaymentRecord>& id, const PaymentRecordReportArgs& report,
    const ReportCheckArgs<PaymentRecord, Id<PaymentAttemptRecord>>& known, const CallOptions& options) const {
  return detail::asyncResolveReport<PaymentRecord>(engine_, own(report), &detail::callOf, id.str(),
                                                   detail::own(known), options);
}

template class AsyncPager<PaymentRecord>;

}  // namespace tally
