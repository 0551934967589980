// Pays out with tally, and looks for the payout if the response is lost.

#include <iostream>

#include <tally/tally.h>

int main(int, char** argv) {
  const tally::Client client{
      tally::ClientOptions::fromEnvironment({.baseUrl = argv[1], .maxNetworkRetries = 2})};
  const tally::Metadata metadata{{"reference", "r-1"}};
  const auto payout = client.payouts().create({.amount = 500, .currency = "eur", .metadata = metadata});
  if (!payout && !payout.error().mayHaveTakenEffect()) {
    std::cout << "not paid\n";
    return 1;
  }
  bool paid = payout.has_value();
  if (!paid)
    for (const auto& made : client.payouts().list({.limit = 100}))
      if (made && made.value().metadata == metadata) paid = true;
  std::cout << (paid ? "paid\n" : "not certain: a person must look\n");
  return paid ? 0 : 1;
}
