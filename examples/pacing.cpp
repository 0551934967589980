// A client-side rate limiter stays within the service's limits, and adapts if the service still refuses.

#include <chrono>
#include <iostream>
#include <memory>
#include <string_view>

#include <tally/fake/service.h>
#include <tally/tally.h>

namespace {

using namespace std::chrono_literals;

/// Makes a hundred calls, and prints how long they take and how many are refused.
void makeHundredCalls(std::string_view how, const tally::Client& client,
                      const tally::PaymentRecord& payment) {
  const tally::Instant start = client.clock().now();
  int refused = 0;
  for (int n = 0; n < 100; ++n)
    if (!client.paymentRecords().retrieve(payment.id)) ++refused;
  const auto took = std::chrono::duration_cast<std::chrono::seconds>(client.clock().now() - start);
  std::cout << how << ": " << took.count() << " s, " << refused << " refused\n";
}

}  // namespace

int main() {
  tally::fake::Service service{{.duration = 0ns}};  // responds immediately, so only the limits take time
  const std::string key = service.addAccount().sandboxKey;
  const auto payment = service.insert<tally::PaymentRecord>(key);
  tally::ClientOptions options = service.clientOptions(key);

  makeHundredCalls("without a pacer", tally::Client{options}, payment);
  service.clock()->advance(1s);

  const auto pacer = std::make_shared<tally::Pacer>();
  options.pacer = pacer;  // shared by all clients of this account
  const tally::Client client{options};
  makeHundredCalls("with a pacer", client, payment);

  // Another process uses the same account, so the service refuses one of our calls.
  service.clock()->advance(2s);
  service.faults().inject({.times = 19});  // these pass
  service.faults().inject({.error = "rate_limit", .rateLimitedReason = "endpoint-rate"});
  makeHundredCalls("slowed down", client, payment);
  for (const auto& line : pacer->usage(key, client.clock().now()))
    if (line.limit == "endpoint_rate") std::cout << line << '\n';
  service.clock()->advance(60s);
  makeHundredCalls("recovered", client, payment);

  // A call that cannot wait long enough fails immediately.
  const auto late = client.paymentRecords().retrieve(payment.id, {.deadline = client.clock().now() + 1ms});
  std::cout << late.error() << '\n';
}
