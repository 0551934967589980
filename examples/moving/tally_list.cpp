// Adds up the requested amounts of all payment records with tally.

#include <cstdint>
#include <iostream>

#include <tally/tally.h>

int main(int, char** argv) {
  const tally::Client client{tally::ClientOptions::fromEnvironment({.baseUrl = argv[1]})};
  std::int64_t total = 0;
  for (const auto& record : client.paymentRecords().list({.limit = 100})) {
    if (!record) {
      std::cerr << record.error() << '\n';
      return 1;
    }
    total += record.value().amountRequested.value;
  }
  std::cout << total << '\n';
}
