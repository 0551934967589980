// Eight threads report on 2,000 payments, as fast as the sandbox allows. The virtual time is exact.

#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  using namespace std::chrono_literals;
  constexpr std::size_t threads = 8;
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  std::vector<tally::PaymentRecord> payments;
  for (int n = 0; n < 2'000; ++n)
    payments.push_back(service.insert<tally::PaymentRecord>(key));

  tally::ClientOptions options = service.clientOptions(key);
  options.pacer = std::make_shared<tally::Pacer>();
  const tally::Client client{options};
  const std::chrono::sys_seconds failedAt{std::chrono::seconds{1767225600}};
  int failures = 0;
  const tally::Instant begin = service.clock()->now();
  service.clock()->runThreads(threads, [&](std::size_t thread) {
    for (std::size_t n = thread; n < payments.size(); n += threads)
      if (!client.paymentRecords().reportFailed(payments[n].id, {.failedAt = failedAt})) ++failures;
  });
  std::cout << payments.size() << " reports in " << (service.clock()->now() - begin) / 1ms << " ms, "
            << failures << " failures\n";
}
