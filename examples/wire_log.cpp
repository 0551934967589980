// Observers never see bodies. A wire log shows them, without keys, card data and what `redact` names.

#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>
#include <tally/wire_log.h>

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  tally::ClientOptions options = service.clientOptions(key);
  // Without a fake: wireLog(tally::curlTransport(tally::systemClock()), …)
  options.transport = tally::wireLog(options.transport, std::cout, {.redact = {"nickname"}});
  const tally::Client client{options};

  const auto intent = client.paymentIntents().create(
      {.amount = 500, .currency = "eur", .metadata = {{"order", "42"}, {"nickname", "Adalbert"}}});
  return intent ? 0 : 1;
}
