// Ten thousand reads exhaust the read allocation of an account without transactions. Transactions and time
// restore it.

#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  using namespace std::chrono_literals;
  tally::fake::Service service{{.duration = 1s}};
  const auto account = service.addAccount();
  const std::string key = account.sandboxKey;
  const auto payment = service.insert<tally::PaymentRecord>(key);
  const tally::Client client{service.clientOptions(key)};
  const auto read = [&] { return client.paymentRecords().retrieve(payment.id); };

  int reads = 0;
  while (read())
    ++reads;
  std::cout << reads << " reads, then: " << read().error().code() << '\n';

  service.transactions().record(key, 21);
  std::cout << "with 21 transactions: " << service.usage().of(key, "read_allocation") << '\n';

  service.clock()->advance(std::chrono::days{30});
  std::cout << "30 days later: " << service.usage().of(key, "read_allocation") << '\n';
}
