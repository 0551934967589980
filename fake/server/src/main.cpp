#include <csignal>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/version.h>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <unistd.h>

#include "command_line.h"
#include "control.h"
#include "file_input.h"
#include "host.h"
#include "json_input.h"
#include "listener.h"
#include "ready_file.h"
#include "scenario.h"

namespace tally::fake::detail {

namespace {

/// SIGINT and SIGTERM end the program. They are blocked in all threads, so that sigwait() receives them.
class Endings {
 public:
  Endings() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }

  /// Whether a signal is pending, so that await() would return immediately.
  [[nodiscard]] static bool came() {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1;
  }

  void await() const {
    int ending = 0;
    sigwait(&signals_, &ending);
  }

 private:
  sigset_t signals_{};
};

/// Creates the initial accounts and returns the first. Seeding may take long, so a signal interrupts it.
Tenant& fill(Host& host, const CommandLine& line) {
  try {
    if (line.scenario) load(contentsOf(*line.scenario), host, Endings::came);
  } catch (const BadInput& problem) {
    throw BadInput{*line.scenario + ": " + problem.what()};
  }
  if (!line.scenario) host.add();
  Tenant& first = *host.find(host.accounts().front().sandboxKey);
  insertRecords(first, line.records, Endings::came);
  if (!Endings::came()) first.begin();
  return first;
}

std::string readiness(const Listener& listener, const Account& account) {
  const boost::json::value written{{"url", listener.url()},
                                   {"account", account.id},
                                   {"live_key", account.liveKey},
                                   {"sandbox_key", account.sandboxKey},
                                   {"pid", getpid()}};
  return boost::json::serialize(written) + '\n';
}

void serve(const CommandLine& line) {
  const Endings endings;
  ReadyFile ready{line.readyFile};
  Host host{{.seed = line.seed,
             .requestLog = line.requestLog,
             .virtualClock = line.virtualClock,
             .limits = line.limits}};
  Tenant& first = fill(host, line);
  if (Endings::came()) return;
  Control control{host,
                  {.hosts = HostNames{line.address, line.hosts},
                   .scheme = line.tlsCertificate.empty() ? "http" : "https"}};
  Listener listener{line.control ? static_cast<Handler&>(control) : host,
                    {.address = line.address,
                     .port = line.port,
                     .threads = line.threads,
                     .tlsCertificate = line.tlsCertificate,
                     .tlsKey = line.tlsKey},
                    host.traffic};
  ready.write(readiness(listener, first.account));
  std::cout << "tally-fake listening on " << listener.url() << " account=" << first.account.id
            << " live_key=" << first.account.liveKey << " sandbox_key=" << first.account.sandboxKey
            << std::endl;
  endings.await();
  listener.stop();
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
