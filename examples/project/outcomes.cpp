#include "outcomes.h"

tally::Result<tally::PaymentRecord> reportFailure(const tally::Client& client,
                                                  const tally::PaymentRecord& payment,
                                                  tally::Timestamp failedAt) {
  const auto records = client.paymentRecords();
  const tally::PaymentRecordReportFailedParams failed{.failedAt = failedAt};
  auto reported = records.reportFailed(payment.id, failed);
  if (reported || !reported.error().mayHaveTakenEffect()) return reported;

  BOOST_OUTCOME_TRY(auto resolved, records.resolveReport(payment.id, failed, {.before = payment}));
  if (resolved.status == tally::ReportStatus::applied) return resolved.object;
  return resolved.error ? *resolved.error : reported.error();
}
