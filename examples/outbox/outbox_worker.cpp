// Sends the reports that wait in the domain `shop` of the outbox DATABASE to URL, until SIGTERM or SIGINT.
// Start it as often as you like: one process sends, and the others take over when it dies.

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <thread>

#include <tally/outbox.h>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: TALLY_API_KEY=... outbox_worker DATABASE URL\n";
    return EXIT_FAILURE;
  }
  sigset_t ends{};
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // in all threads
  tally::StopSource stop;
  std::thread{[&] {
    int signal = 0;
    sigwait(&ends, &signal);
    stop.request_stop();
  }}.detach();
  try {
    tally::OutboxOptions options;
    options.domains = {{.name = "shop",
                        .client = tally::ClientOptions::fromEnvironment(
                            {.baseUrl = argv[2], .timeout = std::chrono::seconds{5}})}};
    options.onEvent = [](const tally::OutboxEvent& event) { std::cout << event << std::endl; };
    tally::Outbox outbox{argv[1], options};
    outbox.migrate();
    outbox.run(stop.get_token());
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
