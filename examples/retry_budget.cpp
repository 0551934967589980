// When a service is in trouble, the client sends fewer requests, not more, and honors Retry-After.

#include <iostream>

#include <tally/fake/service.h>
#include <tally/tally.h>

namespace {

void print(const tally::Result<tally::PaymentRecord>& record) {
  if (record) {
    std::cout << "retrieved\n";
  } else {
    std::cout << record.error() << '\n';
  }
}

}  // namespace

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto id = service.insert<tally::PaymentRecord>(key).id;
  tally::ClientOptions options = service.clientOptions(key);
  options.maxNetworkRetries = 3;
  options.retryBudget = {.maxTokens = 4, .tokensPerSuccess = 0.5};
  const tally::Client client{options};
  const auto retrieve = [&](const tally::RequestOptions& call = {}) {
    return client.paymentRecords().retrieve(id, call);
  };

  std::cout << "The service is down:\n";
  service.faults().inject({.times = 7, .error = "api_error"});
  for (int n = 0; n < 3; ++n)
    print(retrieve());
  std::cout << service.requests().size() << " requests for three calls, not twelve\n";

  std::cout << "\nThe service recovers, then responds with Retry-After once:\n";
  for (int n = 0; n < 4; ++n)
    print(retrieve());
  service.faults().inject({.error = "api_error", .headers = {{"Retry-After", "7"}}});
  std::vector<tally::Attempt> attempts;
  print(retrieve({.attempts = &attempts}));
  for (const tally::Attempt& attempt : attempts)
    std::cout << "  " << attempt << '\n';

  std::cout << "\nA call with too short a deadline fails without waiting:\n";
  service.faults().inject({.error = "api_error", .headers = {{"Retry-After", "7"}}});
  print(retrieve({.deadline = client.clock().now() + std::chrono::seconds{2}}));
}
