#include <csignal>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/version.h>

#include "command_line.h"
#include "control.h"
#include "file_input.h"
#include "front.h"
#include "host.h"
#include "json_input.h"
#include "scenario.h"

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

/// The first of the accounts to begin with.
Tenant& fill(Host& host, const CommandLine& line) {
  try {
    if (line.scenario) load(contentsOf(*line.scenario), host);
  } catch (const BadInput& problem) {
    throw BadInput{*line.scenario + ": " + problem.what()};
  }
  if (!line.scenario) host.add();
  Tenant& first = *host.find(host.accounts().front().sandboxKey);
  seedRecords(first, line.records);
  first.begin();
  return first;
}

void serve(const CommandLine& line) {
  const sigset_t endings = blockEndings();
  Host host{{.seed = line.seed, .virtualClock = line.virtualClock, .limits = line.limits}};
  Tenant& first = fill(host, line);
  Control control{host};
  Front front{line.control ? static_cast<Site&>(control) : host,
              {.address = line.address, .port = line.port, .threads = line.threads}};
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
