// One setup, many tests: each returns to the same state, or continues in its own fork of the service.

#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const std::string id = service.insert<tally::PaymentRecord>(key).id.str();
  const tally::fake::Snapshot prepared = service.snapshots().take();
  const std::chrono::sys_seconds guaranteedAt{std::chrono::seconds{1767225600}};

  tally::fake::Service other = service.fork();
  const tally::Client client{service.clientOptions(key)};
  if (!client.paymentRecords().reportGuaranteed(id, {.guaranteedAt = guaranteedAt})) return 1;
  std::cout << "here " << *service.objects().stateOf(key, id) << ", in the fork "
            << *other.objects().stateOf(key, id) << '\n';

  service.snapshots().restore(prepared);
  std::cout << "restored: " << *service.objects().stateOf(key, id) << '\n';
}
