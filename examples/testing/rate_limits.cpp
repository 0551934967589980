// A job lists faster than the service allows, and prints the limit that stopped it.

#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  using namespace std::chrono_literals;
  tally::fake::Service service{{.duration = 10ms}};  // each call takes 10 ms of virtual time
  const auto account = service.addAccount();
  const tally::Client client{service.clientOptions(account.liveKey)};

  int listed = 0;
  std::optional<tally::Error> stopped;
  while (!stopped)
    for (const auto& record : client.paymentRecords().list())
      if (!record) stopped = record.error();
  for (const auto& request : service.requests().list())
    if (request.status == 200) ++listed;

  std::cout << listed << " calls succeeded; the next was refused by "
            << service.requests().list().back().limit << ": " << *stopped->rateLimitedReason() << '\n';
  const auto usage = service.usage().of(account.liveKey, "endpoint_rate", "payment_records.list");
  std::cout << usage << "; available again in " << (*usage.availableAt - service.clock()->now()) / 1ms
            << " ms\n";

  service.limits().set(account, {.limit = "endpoint_rate", .value = 50, .operation = "payment_records.list"});
  for (const auto& record : client.paymentRecords().list())
    if (!record) return 1;
  std::cout << "with a higher limit, calls succeed again\n";
}
