// Prints the payments of an account, and reports that those named by the arguments failed.

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <set>
#include <stdexcept>
#include <string>

#include "outcomes.h"

int main(int argc, char** argv) try {
  const std::set<std::string> failed{argv + 1, argv + argc};
  const tally::Client client{tally::ClientOptions::fromEnvironment()};
  for (const auto& listed : client.paymentRecords().list()) {
    const auto payment = listed && failed.contains(listed.value().id.str())
                             ? reportFailure(client, listed.value(), std::chrono::system_clock::now())
                             : listed;
    if (!payment) {
      std::cerr << payment.error() << '\n';
      return EXIT_FAILURE;
    }
    std::cout << payment.value().id << "  requested: " << payment.value().amountRequested
              << "  failed: " << payment.value().amountFailed << '\n';
  }
} catch (const std::invalid_argument& error) {  // a variable is missing
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
