// Prints the payments of an account. With arguments, reports that the payments with these identifiers failed.

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <span>
#include <stdexcept>

#include "outcomes.h"

namespace {

/// Returns whether there is a payment.
bool print(const tally::Result<tally::PaymentRecord>& payment) {
  if (!payment) {
    std::cerr << payment.error() << '\n';
    return false;
  }
  std::cout << payment.value().id << "  requested: " << payment.value().amountRequested
            << "  failed: " << payment.value().amountFailed << '\n';
  return true;
}

tally::Result<tally::PaymentRecord> reportFailureOf(const char* id, const tally::Client& client) {
  BOOST_OUTCOME_TRY(const auto payment, client.paymentRecords().retrieve(id));
  return reportFailure(client, payment, std::chrono::system_clock::now());
}

}  // namespace

int main(int argc, char** argv) try {
  const std::span ids{argv + 1, argv + argc};
  const tally::Client client{tally::ClientOptions::fromEnvironment()};
  bool succeeded = true;
  for (const char* id : ids)
    succeeded = print(reportFailureOf(id, client)) && succeeded;
  if (ids.empty())
    for (const auto& payment : client.paymentRecords().list())
      succeeded = print(payment) && succeeded;
  return succeeded ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::invalid_argument& error) {  // a variable is missing
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
