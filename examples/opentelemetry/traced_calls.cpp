// Connects tally to a tracer of OpenTelemetry: a span of each call, one of each attempt, and the
// `traceparent` of the attempt in each request.

#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include "adapter.h"

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const std::string id = service.insert<tally::PaymentRecord>(key).id.str();
  service.faults().inject({.error = "lock_timeout"});

  tally::ClientOptions options = service.clientOptions(key);
  options.maxNetworkRetries = 2;
  const auto tracer = std::make_shared<opentelemetry::trace::Tracer>();  // from your TracerProvider
  const tally::Client client{tally::traced(options, std::make_shared<OtelTracer>(tracer))};

  const auto record = client.paymentRecords().retrieve(
      id, {.headers = {{"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}});
  for (const auto& logged : service.requests().list())
    for (const auto& [name, value] : logged.request.headers)
      if (name == "traceparent") std::cout << "the service received " << value << '\n';
  return record ? 0 : 1;
}
