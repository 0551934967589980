// Makes calls that fail, and prints what each error says and when the call can be made again.

#include <chrono>
#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

namespace {

void print(const tally::Result<tally::PaymentRecord>& result) {
  if (result) {
    std::cout << "reported\n";
    return;
  }
  const tally::Error& error = result.error();
  const char* const again = error.isRetryable() ? "later" : error.isPermanent() ? "never" : "find out first";
  std::cout << error << "\n  again: " << again << '\n';
}

}  // namespace

int main() {
  using tally::fake::Fault;
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto payment = service.insert<tally::PaymentRecord>(key);
  const auto records = tally::Client{service.clientOptions(key)}.paymentRecords();
  const tally::PaymentRecordReportFailedParams failed{.failedAt = std::chrono::system_clock::now()};

  print(records.reportFailed("pr_nobody", failed));

  service.faults().inject({.error = "lock_timeout"});
  print(records.reportFailed(payment.id, failed));

  service.faults().inject({.fault = Fault::responseLost});
  print(records.reportFailed(payment.id, failed));

  service.faults().inject({.error = "lock_timeout"});
  print(records.reportFailed(payment.id, failed, {.maxNetworkRetries = 2}));
}
