#include <chrono>
#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  tally::fake::Service service;  // the fake, in this process
  const std::string key = service.addAccount().sandboxKey;
  const auto payment = service.insert<tally::PaymentRecord>(key);

  // For the real service: {.apiKey = "sk_live_…", .baseUrl = "https://…"}
  const tally::Client client{service.clientOptions(key)};
  const auto record = client.paymentRecords().reportFailed(
      payment.id, {.failedAt = std::chrono::system_clock::now(), .metadata = {{"order", "42"}}});
  if (!record) {
    std::cerr << record.error() << '\n';  // one line: what, why, and whether it took effect
    return 1;
  }
  std::cout << record.value().amountFailed.value << ' ' << record.value().amountFailed.currency << '\n';
}
