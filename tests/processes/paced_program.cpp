// `paced_program URL KEY RECORD THREADS FULL_AT_START NAME` retrieves a payment record repeatedly, with
// several threads that share a pacer, and prints a line per success. It runs until killed.

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <tally/pacer.h>
#include <tally/tally.h>

#include <unistd.h>

namespace {

void retrieveForEver(const tally::PaymentRecords& records, const std::string& id) {
  constexpr std::string_view line = "retrieved\n";
  while (true)
    if (records.retrieve(id) && write(STDOUT_FILENO, line.data(), line.size()) < 0) return;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    std::cerr << "paced_program URL KEY RECORD THREADS FULL_AT_START NAME\n";
    return EXIT_FAILURE;
  }
  const std::chrono::seconds assumeUsed{std::stoi(argv[5])};
  tally::ClientOptions options{.apiKey = argv[2], .baseUrl = argv[1]};
  options.pacer = std::make_shared<tally::Pacer>(tally::PacerOptions{.assumeUsed = assumeUsed});
  options.headers = {{"Program", argv[6]}};
  const tally::PaymentRecords records = tally::Client{options}.paymentRecords();
  const std::string id = argv[3];
  std::vector<std::jthread> threads;
  for (int left = std::stoi(argv[4]); left > 0; --left)
    threads.emplace_back([&] { retrieveForEver(records, id); });
}
