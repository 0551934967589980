// Adds up a list of payments, then reads it in two parts, as two processes would.

#include <cstdint>
#include <iostream>
#include <ranges>
#include <string>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  for (std::int64_t amount = 1; amount <= 250; ++amount)
    service.insert<tally::PaymentRecord>(
        key, [&](tally::PaymentRecord& payment) { payment.amountRequested = {"eur", amount}; });
  const tally::Client client{service.clientOptions(key)};

  std::int64_t total = 0;
  for (const auto& payment : client.paymentRecords().list({.limit = 100})) {
    if (!payment) {
      std::cerr << payment.error() << '\n';
      return 1;
    }
    total += payment.value().amountRequested.value;
  }
  std::cout << total << " in " << client.readsUsed().own << " requests\n";

  auto newest = client.paymentRecords().list({.limit = 100});
  for (const auto& payment : newest | std::views::take(3))
    std::cout << payment.value().amountRequested << '\n';
  const std::string saved = newest.checkpoint();

  for (const auto& payment : client.paymentRecords().list().resumeFrom(saved) | std::views::take(1))
    std::cout << "then " << payment.value().amountRequested << '\n';
}
