// A program with one call, whose size `./dev check counts` limits.
#include <iostream>
#include <string>

#include <tally/tally.h>

int main(int count, char** arguments) {
  if (count != 4) {
    std::cerr << "usage: one_call URL KEY ID\n";
    return 2;
  }
  const tally::Client client{{.apiKey = arguments[2], .baseUrl = arguments[1]}};
  const auto record = client.paymentRecords().retrieve(tally::Id<tally::PaymentRecord>{arguments[3]});
  if (!record) {
    std::cerr << record.error() << '\n';
    return 1;
  }
  std::cout << record->amountRequested.value << '\n';
}
