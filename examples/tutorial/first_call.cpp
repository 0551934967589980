// Reports that a payment failed, and prints the failed amount before and after.

#include <chrono>
#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto payment = service.insert<tally::PaymentRecord>(key);

  const tally::Client client{service.clientOptions(key)};
  const auto before = client.paymentRecords().retrieve(payment.id);
  std::cout << "before: " << before.value().amountFailed << '\n';

  const auto after =
      client.paymentRecords().reportFailed(payment.id, {.failedAt = std::chrono::system_clock::now()});
  std::cout << "after: " << after.value().amountFailed << '\n';
}
