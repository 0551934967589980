// Reads a large account in parts: from successive processes, with the standard library's views, and within
// the read allocation.

#include <cstdint>
#include <iostream>
#include <ranges>
#include <string>
#include <utility>

#include <tally/fake/service.h>
#include <tally/limits.h>
#include <tally/tally.h>

namespace {

/// One process: reads up to 250 payments from where the previous one stopped, and returns the checkpoint for
/// the next one.
std::string readPart(const tally::Client& client, const std::string& checkpoint) {
  auto payments = client.paymentRecords().list({.limit = 100});
  if (!checkpoint.empty()) payments = std::move(payments).resumeFrom(checkpoint);
  int read = 0;
  for (auto& payment : payments | std::views::take(250)) {
    if (!payment) {
      std::cout << payment.error() << '\n';  // the next process requests this page again
      break;
    }
    ++read;
  }
  std::cout << read << " payments, then " << payments.checkpoint() << '\n';
  return payments.checkpoint();
}

bool isLarge(const tally::Result<tally::PaymentRecord>& payment) {
  return !payment || payment.value().amountRequested.value >= 5970;  // keep errors
}

}  // namespace

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto create = [&](std::int64_t amount) {
    service.insert<tally::PaymentRecord>(
        key, [&](tally::PaymentRecord& payment) { payment.amountRequested = {"eur", amount}; });
  };
  for (std::int64_t amount = 10; amount <= 6000; amount += 10)
    create(amount);

  std::string file;  // represents the application's storage
  for (int process = 0; process < 3; ++process) {
    file = readPart(tally::Client{service.clientOptions(key)}, file);
    create(1);  // the account grows at its newest end; the iteration is already past it
  }

  const tally::Client client{service.clientOptions(key)};
  auto newest = client.paymentRecords().list({.limit = 20});
  std::cout << "large:";
  for (auto& payment : newest | std::views::take(20) | std::views::filter(isLarge))
    std::cout << ' ' << payment.value().amountRequested;
  std::cout << '\n';

  service.faults().inject({.error = "api_error"});
  std::cout << newest.collect(30).error().message() << '\n';    // no payment is returned
  std::cout << newest.collect(30).value().size() << " more\n";  // and none is lost

  const std::int64_t transactions = 25;  // in the last 30 days, from the application's own records
  std::cout << client.readsUsed().own << " of " << tally::limits::readAllocation.allowed(transactions)
            << " reads used\n";
}
