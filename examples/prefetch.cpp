// Reads all payments of an account with prefetching, and shows what prefetching costs when the loop stops
// early.

#include <cstdint>
#include <iostream>
#include <ranges>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  for (std::int64_t amount = 1; amount <= 600; ++amount)
    service.insert<tally::PaymentRecord>(
        key, [&](tally::PaymentRecord& payment) { payment.amountRequested = {"eur", amount}; });
  const tally::Client client{service.clientOptions(key)};

  std::int64_t total = 0;
  for (auto& payment : client.paymentRecords().list({.limit = 100}).prefetch())
    total += payment.value().amountRequested.value;
  std::cout << total << " in total: " << client.readsUsed().own << " reads\n";

  const auto before = client.readsUsed().own;
  std::int64_t newest = 0;
  for (auto& payment : client.paymentRecords().list({.limit = 100}).prefetch() | std::views::take(100))
    newest += payment.value().amountRequested.value;
  std::cout << newest << " of the newest hundred: " << client.readsUsed().own - before << " reads\n";
}
