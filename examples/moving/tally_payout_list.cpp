// Adds up all payouts with tally.

#include <cstdint>
#include <iostream>

#include <tally/tally.h>

int main(int, char** argv) {
  const tally::Client client{tally::ClientOptions::fromEnvironment({.baseUrl = argv[1]})};
  std::int64_t total = 0;
  for (const auto& payout : client.payouts().list({.limit = 100}))
    total += payout.value().amount;  // throws if a page could not be read
  std::cout << total << '\n';
}
