// The response to a report is lost, and the application finds out whether the report was applied.

#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto payment = service.insert<tally::PaymentRecord>(key);
  const tally::Client client{service.clientOptions(key)};
  const tally::PaymentRecordReportFailedParams failed{
      .failedAt = std::chrono::sys_seconds{std::chrono::seconds{1767225600}}};

  service.faults().inject(
      {.operation = "payment_records.report_failed", .fault = tally::fake::Fault::responseLost});
  const auto reported = client.paymentRecords().reportFailed(payment.id, failed);
  std::cout << reported.error() << '\n';

  if (reported.error().effect() == tally::Effect::unknown) {
    const auto check = client.paymentRecords().checkReport(payment.id, failed).value();
    std::cout << "it was " << toString(check.status) << '\n';
  }
  for (const tally::fake::FaultRule& fault : service.faults().pending())
    std::cout << "never occurred: " << fault << '\n';
}
