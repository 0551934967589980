// The response to a report is lost. Finds out whether the report was applied, now and in a later process.

#include <iostream>
#include <string_view>

#include <tally/fake/service.h>
#include <tally/tally.h>

namespace {

using Check = tally::Result<tally::ReportCheck<tally::PaymentRecord>>;

void print(std::string_view what, const Check& check) {
  std::cout << what << ": ";
  if (check.has_value()) {
    std::cout << *check << '\n';
  } else {
    std::cout << check.error() << '\n';  // the record could not be read: try again later
  }
}

}  // namespace

int main() {
  using tally::fake::Fault;
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto payment = service.insert<tally::PaymentRecord>(key);
  const auto other = service.insert<tally::PaymentRecord>(key);
  const auto records = tally::Client{service.clientOptions(key)}.paymentRecords();

  // Before it sends a report, the application stores the identifiers of the record and of the attempt, and
  // the parameters.
  const auto attempt = payment.latestPaymentAttemptRecord;
  const auto otherAttempt = other.latestPaymentAttemptRecord;
  const tally::PaymentRecordReportFailedParams failed{
      .failedAt = std::chrono::sys_seconds{std::chrono::seconds{1767225600}}, .metadata = {{"order", "42"}}};

  service.faults().inject({.fault = Fault::responseLost});  // applied, but the response is lost
  if (records.reportFailed(payment.id, failed).error().effect() == tally::Effect::unknown)
    print("response lost", records.resolveReport(payment.id, failed, {.attempt = attempt}));

  service.faults().inject({.fault = Fault::reset});  // never reached the service
  (void)records.reportFailed(other.id, failed);
  print("request lost", records.checkReport(other.id, failed, {.attempt = otherAttempt}));
  print("earlier payment attempt", records.resolveReport(other.id, failed, {.attempt = "par_earlier"}));
  print("then resolved", records.resolveReport(other.id, failed, {.attempt = otherAttempt}));

  // Later, in another process: meanwhile, the payment was reported guaranteed.
  const std::chrono::sys_seconds guaranteedAt{std::chrono::seconds{1767229200}};
  if (!records.reportGuaranteed(payment.id, {.guaranteedAt = guaranteedAt})) return 1;
  print("after another report", records.resolveReport(payment.id, failed, {.attempt = attempt}));
}
