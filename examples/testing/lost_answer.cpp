// The answer to a report is lost, and the application finds out what became of the report.

#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto payment = service.seed<tally::PaymentRecord>(key);
  const tally::Client client{service.clientOptions(key)};
  const std::chrono::sys_seconds failedAt{std::chrono::seconds{1767225600}};

  service.script({.operation = "payment_records.report_failed", .fault = tally::fake::Fault::answerLost});
  const auto reported = client.paymentRecords().reportFailed(payment.id, {.failedAt = failedAt});
  std::cout << reported.error() << '\n';

  if (reported.error().effect() == tally::Effect::unknown) {
    const auto record = client.paymentRecords().retrieve(payment.id).value();
    std::cout << (record.amountFailed == record.amountRequested ? "it was applied" : "it was not") << '\n';
  }
  for (const std::string& fault : service.verifyFaultsFired())
    std::cout << "never happened: " << fault << '\n';
}
