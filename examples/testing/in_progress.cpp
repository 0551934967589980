// Thirty payout requests are already in progress, so the next one exceeds the concurrency limit.

#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const tally::Client client{service.clientOptions(key)};
  const tally::PayoutCreateParams fiveEuros{.amount = 500, .currency = "eur"};
  {
    const tally::fake::Hold units = service.holds().takeConcurrency(key, "payouts.create", 30);
    const auto refused = client.payouts().create(fiveEuros);
    std::cout << refused.error() << '\n';
  }
  std::cout << (client.payouts().create(fiveEuros) ? "created after the others finished\n" : "refused\n");
}
