// Reports a failed payment with tally.

#include <iostream>

#include <tally/tally.h>

int main(int, char** argv) {
  const tally::Client client{tally::ClientOptions::fromEnvironment({.baseUrl = argv[1]})};
  const std::chrono::sys_seconds failedAt{std::chrono::seconds{1767225600}};
  const auto record = client.paymentRecords().reportFailed(
      argv[2], {.failedAt = failedAt, .metadata = {{"order", "42 & 43"}}});
  if (!record) {
    std::cerr << record.error() << '\n';
    return 1;
  }
  std::cout << record.value().amountFailed << '\n';
}
