#include <csignal>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/version.h>

#include "command_line.h"
#include "front.h"
#include "host.h"

namespace tally::fake::detail {

namespace {

/// The signals that end the program. No thread takes them, so that they can be waited for.
sigset_t blockEndings() {
  sigset_t endings;
  sigemptyset(&endings);
  sigaddset(&endings, SIGINT);
  sigaddset(&endings, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &endings, nullptr);
  return endings;
}

void serve(const CommandLine& line) {
  const sigset_t endings = blockEndings();
  Host host{{.seed = line.seed, .virtualClock = line.virtualClock, .limits = line.limits}};
  Tenant& first = host.add();
  seedRecords(first, line.records);
  Front front{host, {.address = line.address, .port = line.port, .threads = line.threads}};
  std::cout << "tally-fake listening on " << front.url() << " account=" << first.account.id
            << " live_key=" << first.account.liveKey << " sandbox_key=" << first.account.sandboxKey
            << std::endl;
  int ending = 0;
  sigwait(&endings, &ending);
  front.stop();
}

int run(const std::vector<std::string>& arguments) {
  CommandLine line;
  try {
    line = parseCommandLine(arguments);
  } catch (const std::invalid_argument& problem) {
    std::cerr << "tally-fake: " << problem.what() << "; see tally-fake --help\n";
    return 2;
  }
  if (line.help) std::cout << usageText();
  if (line.version) std::cout << "tally-fake " << version << '\n';
  if (line.help || line.version) return 0;
  try {
    serve(line);
    return 0;
  } catch (const std::exception& problem) {
    std::cerr << "tally-fake: " << problem.what() << '\n';
    return 1;
  }
}

}  // namespace

}  // namespace tally::fake::detail

int main(int count, char** arguments) {
  return tally::fake::detail::run({arguments + 1, arguments + count});
}
