// Prints the payments of an account, and reports that those named by the arguments failed.

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>

#include "outcomes.h"

namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

int main(int argc, char** argv) {
  const std::set<std::string> failed{argv + 1, argv + argc};
  const tally::Client client{{.apiKey = variable("PAYMENTS_KEY"), .baseUrl = variable("PAYMENTS_URL")}};
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
}
