// Loses a response and a request, and finds out each time whether the report was applied.

#include <chrono>
#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

namespace {

void report(const tally::PaymentRecords& records, const tally::PaymentRecord& payment) {
  const tally::PaymentRecordReportFailedParams failed{.failedAt = std::chrono::system_clock::now()};
  const auto reported = records.reportFailed(payment.id, failed);
  if (reported) {
    std::cout << "reported\n";
  } else if (reported.error().mayHaveTakenEffect()) {
    const auto check =
        records.resolveReport(payment.id, failed, {.attempt = payment.latestPaymentAttemptRecord});
    std::cout << (check.has_value() ? "found out: " : "not read: ") << check << '\n';
  } else {
    std::cout << reported.error() << '\n';
  }
}

}  // namespace

int main() {
  using tally::fake::Fault;
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto records = tally::Client{service.clientOptions(key)}.paymentRecords();

  for (const Fault fault : {Fault::responseLost, Fault::reset}) {
    const auto payment = service.insert<tally::PaymentRecord>(key);
    service.faults().inject({.fault = fault});
    report(records, payment);
    std::cout << "  at the service: " << *service.objects().stateOf(key, payment.id.str()) << '\n';
  }
}
