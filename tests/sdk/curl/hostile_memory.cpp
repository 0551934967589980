// Makes calls that are in flight at the same time, and prints how much memory they took at most:
// hostile_memory URL CALLS LIMIT. hostile_memory_test.py has the servers.

#include <cstdio>
#include <exception>
#include <future>
#include <string>
#include <vector>

#include <tally/async.h>
#include <tally/tally.h>

#include "support/memory_growth.h"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  try {
    const auto calls = std::stoul(argv[2]);
    const tally::AsyncClient client{{.apiKey = "sk_test_1",
                                     .baseUrl = argv[1],
                                     .maxNetworkRetries = 0,
                                     .timeout = std::chrono::minutes{2},
                                     .http = {.maxResponseBytes = std::stoul(argv[3])}},
                                    {.maxInFlight = calls}};
    const tally::test::MemoryGrowth memory;
    std::vector<std::future<tally::Result<tally::PaymentRecord>>> results;
    for (std::size_t i = 0; i < calls; ++i)
      results.push_back(client.paymentRecords().retrieve("pr_1").future());
    std::size_t succeeded = 0;
    std::size_t tooLarge = 0;
    for (auto& one : results) {
      const auto result = one.get();
      if (result.has_value()) {
        ++succeeded;
      } else if (result.error().kind() == tally::ErrorKind::responseTooLarge) {
        ++tooLarge;
      } else {
        std::fprintf(stderr, "%s\n", result.error().message().c_str());
      }
    }
    std::printf("%zu %zu %zu\n", succeeded, tooLarge, memory.peak().value_or(0));
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "hostile_memory: %s\n", problem.what());
    return 1;
  }
}
