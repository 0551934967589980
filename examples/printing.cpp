// Prints records, parameters, errors, times and requests as they appear in a log or a failing test.

#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto payment = service.insert<tally::PaymentRecord>(key);
  const tally::Client client{service.clientOptions(key)};
  const tally::PaymentRecordReportFailedParams failed{
      .failedAt = std::chrono::sys_seconds{std::chrono::seconds{1767225600}},
      .metadata = tally::MetadataEdit{{"order", "42"}}.unset("till")};

  std::cout << failed << '\n';
  std::cout << client.paymentRecords().reportFailed(payment.id, failed) << '\n';
  std::cout << client.paymentRecords().retrieve("pr_nobody") << '\n';
  std::cout << payment.amountRequested << " at " << tally::toString(payment.created) << '\n';
  std::cout << service.requests().list().back() << '\n' << service.requests().list().back().request << '\n';
}
