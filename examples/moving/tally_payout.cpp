// Pays out with tally.

#include <iostream>

#include <tally/tally.h>

int main(int, char** argv) {
  const tally::Client client{tally::ClientOptions::fromEnvironment({.baseUrl = argv[1]})};
  const auto payout =
      client.payouts().create({.amount = 500, .currency = argv[2], .metadata = {{"order", "42 & 43"}}});
  if (payout) {
    std::cout << payout.value().amount << ' ' << payout.value().currency << '\n';
    return 0;
  }
  const tally::Error& error = payout.error();
  if (error == tally::ErrorKind::connection || error == tally::ErrorKind::timeout) {
    std::cerr << "no response\n";
  } else if (!error.param().empty()) {
    std::cerr << "refused: " << error.param() << '\n';
  } else {
    std::cerr << error << '\n';
  }
  return 1;
}
