// Another process holds the lock of a payment record for five seconds. The client's retries outlast it.

#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  using namespace std::chrono_literals;
  tally::fake::Service service{{.lockWait = 1s}};
  const std::string key = service.addAccount().sandboxKey;
  const auto payment = service.insert<tally::PaymentRecord>(key);
  const tally::Client client{service.clientOptions(key)};
  const std::chrono::sys_seconds failedAt{std::chrono::seconds{1767225600}};

  const tally::fake::Hold lock = service.holds().lockObject(key, payment.id.str(), 5s);
  const auto begin = client.clock().now();
  const auto reported =
      client.paymentRecords().reportFailed(payment.id, {.failedAt = failedAt}, {.maxNetworkRetries = 5});

  for (const auto& request : service.requests().list())
    std::cout << "at " << (request.time - begin) / 1ms << " ms: " << request.status << ' '
              << request.errorCode << '\n';
  std::cout << (reported ? "reported" : "not reported") << " after " << (client.clock().now() - begin) / 1ms
            << " ms\n";
}
