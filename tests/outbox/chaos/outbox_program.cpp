// A worker as users write it. `outbox_program DATABASE URL LEASE`: sends the reports of the domain `shop`,
// with the key in TALLY_API_KEY, until SIGTERM. LEASE is in milliseconds.

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

#include <tally/outbox.h>

int main(int argc, char** argv) {
  const char* const key = std::getenv("TALLY_API_KEY");
  if (argc != 4 || key == nullptr) return EXIT_FAILURE;
  sigset_t ends{};
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  tally::StopSource stop;
  std::thread{[&] {
    int signal = 0;
    sigwait(&ends, &signal);
    stop.request_stop();
  }}.detach();
  const std::chrono::milliseconds lease{std::stoi(argv[3])};
  try {
    tally::OutboxOptions options;
    options.lease = lease;
    options.allowLossOnPowerFailure = true;  // the server of the tests
    options.domains = {{.name = "shop", .client = {.apiKey = key, .baseUrl = argv[2], .timeout = lease / 2}}};
    options.onEvent = [](const tally::OutboxEvent& event) { std::cerr << event << '\n'; };
    tally::Outbox{argv[1], options}.run(stop.get_token());
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
