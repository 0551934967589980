// Several threads report on one payment record. The client sends one report at a time, so no lock times out.

#include <atomic>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <tally/fake/service.h>
#include <tally/tally.h>

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds failedAt{std::chrono::seconds{1767225600}};

/// Counts the requests refused because another one had locked the record.
int lockTimeouts(const tally::fake::Service& service) {
  int count = 0;
  for (const auto& request : service.requests().list())
    if (request.errorCode == "lock_timeout") ++count;
  return count;
}

}  // namespace

int main() {
  tally::fake::Service service{{.lockWait = 0ns, .limits = false}};  // no wait for a lock: refuse immediately
  const std::string key = service.addAccount().sandboxKey;
  const auto id = service.insert<tally::PaymentRecord>(key).id;
  tally::ClientOptions options = service.clientOptions(key);
  options.maxNetworkRetries = 1;
  const tally::Client client{options};
  const auto report = [&](int number) {
    return client.paymentRecords().reportFailed(
        id, {.failedAt = failedAt, .metadata = {{"latest", std::to_string(number)}}});
  };

  std::atomic<int> reported = 0;
  std::vector<std::jthread> threads(8);
  for (std::jthread& thread : threads)
    thread = std::jthread{[&] {
      for (int i = 0; i < 50; ++i)
        if (report(i)) ++reported;
    }};
  threads.clear();  // joins them
  std::cout << reported << " reports by 8 threads, " << lockTimeouts(service) << " lock timeouts\n";

  // Another process locks the record. The first report is refused and backs off; the others wait behind it.
  // The clock is frozen to keep this state for inspection.
  service.clock()->freeze();
  auto lock = service.holds().lockObject(key, id.str());
  for (const int number : {1, 2, 3}) {
    threads.emplace_back([&report, number] { (void)report(number); });
    service.clock()->waitForSleepers(threads.size());
  }
  std::cout << lockTimeouts(service) << " lock timeout caused by another process, "
            << client.mutations().waiting << " reports queued behind it\n";

  lock.release();
  service.clock()->thaw();
  threads.clear();
  std::cout << lockTimeouts(service) << " lock timeout in total; the last report applied is "
            << client.paymentRecords().retrieve(id).value().metadata.at("latest") << '\n';
}
