// Decides what to do after an error, and passes it on as a std::error_code.

#include <chrono>
#include <iostream>
#include <map>
#include <string>
#include <system_error>

#include <tally/fake/service.h>
#include <tally/tally.h>

using tally::ErrorKind;

/// Reports a failure that happened now. An application's own code can use std::error_code throughout.
std::error_code reportFailed(const tally::Client& client, const std::string& id,
                             const std::map<std::string, std::string>& metadata) {
  const auto record = client.paymentRecords().reportFailed(
      id, {.failedAt = std::chrono::system_clock::now(), .metadata = metadata});
  return record ? std::error_code{} : record.error();
}

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const tally::Client client{service.clientOptions(key)};
  const auto id = service.insert<tally::PaymentRecord>(key).id;

  std::cout << reportFailed(client, "pr_nobody", {}).message() << '\n';
  if (const auto code = reportFailed(client, id.str(), {{"order", "42"}})) std::cout << code << '\n';

  service.faults().inject({.error = "lock_timeout", .headers = {{"X-Region", "eu"}}});
  const auto locked = client.paymentRecords().retrieve(id, {.maxNetworkRetries = 0});
  if (locked.error() == ErrorKind::lockTimeout && !locked.error().mayHaveTakenEffect())
    std::cout << "in use, in region " << *locked.error().response()->header("X-Region") << '\n';
}
