// Many callers in one thread, with think times, faults and limits. The same seed gives the same run.

#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <string_view>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/pacer.h>

#include "support/arguments.h"

namespace {

using namespace std::chrono_literals;
using tally::PaymentRecord;

constexpr std::chrono::sys_seconds failedAt{1'767'225'600s};
constexpr std::string_view help = R"(usage: simulation [--seed N] [--callers N]

Simulates callers (default: 1000) with think times, faults and limits. The same seed (default: 1) gives the same run.
)";

constexpr std::string_view reportFailed = "payment_records.report_failed";

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t callers = 1'000;
};

/// What the coroutines share. They run one at a time, so it needs no mutex, and one random generator serves
/// them all in the same order in every run.
struct World {
  explicit World(const Options& options)
      : service({.seed = options.seed, .requestLog = 20 * options.callers}),
        key(service.addAccount().sandboxKey),
        async(clientOptions(), {.maxInFlight = 1'000}),
        random(options.seed),
        unfinished(options.callers) {
    service.transactions().record(key,
                                  static_cast<std::int64_t>(options.callers));  // for the read allocation
  }

  tally::ClientOptions clientOptions() {
    tally::ClientOptions options = service.clientOptions(key);
    options.maxNetworkRetries = 3;
    options.pacer = std::make_shared<tally::Pacer>();
    return options;
  }

  std::chrono::milliseconds upTo(std::chrono::milliseconds longest) {
    return longest * static_cast<int>(random() % 1'000) / 1'000;
  }

  tally::fake::Service service;
  std::string key;
  tally::AsyncClient async;
  std::mt19937_64 random;
  std::uint64_t unfinished;
  int reported = 0;
  int resolved = 0;
  int failed = 0;
};

/// Reads a record, thinks, and reports on it.
tally::Task<> call(World& world, std::string id) {
  const auto records = world.async.paymentRecords();
  if (!co_await world.async.sleepFor(world.upTo(60s))) co_return;
  const auto before = co_await records.retrieve(id);
  if (!co_await world.async.sleepFor(world.upTo(10s))) co_return;
  const auto reported = co_await records.reportFailed(id, {.failedAt = failedAt});
  if (reported) {
    ++world.reported;
  } else if (before && reported.error().effect() == tally::Effect::unknown) {
    const tally::PaymentRecordReportFailedParams failed{.failedAt = failedAt};
    const auto check = co_await records.resolveReport(id, failed, {.before = before.value()});
    ++(check.has_value() && check->status == tally::ReportStatus::applied ? world.resolved : world.failed);
  } else {
    ++world.failed;
  }
  --world.unfinished;
}

/// Injects faults at random times while there are callers.
tally::Task<> injectFaults(World& world) {
  using enum tally::fake::Fault;
  constexpr std::array faults{reset, responseLost, truncatedBody, errorAfterProcessing, none};
  while (world.unfinished > 0) {
    if (!co_await world.async.sleepFor(world.upTo(2s))) co_return;
    const tally::fake::Fault fault = faults[world.random() % faults.size()];
    const auto latency = world.upTo(5s);
    world.service.faults().inject(
        {.operation = std::string{reportFailed}, .fault = fault, .latency = latency});
  }
}

/// The FNV-1a hash of all requests and responses that the service has logged.
std::uint64_t fingerprint(const tally::fake::Service& service) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const auto& request : service.requests().list()) {
    std::ostringstream line;
    line << request << ' ' << request.respondedAt.time_since_epoch().count() << ' ' << request.requestId;
    for (const char c : line.str())
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return hash;
}

void run(const Options& options) {
  World world{options};
  for (std::uint64_t n = 0; n < options.callers; ++n)
    tally::spawn(call(world, world.service.insert<PaymentRecord>(world.key).id.str()));
  tally::spawn(injectFaults(world));
  const tally::Instant begin = world.service.clock()->now();
  world.async.run();

  std::cout << options.callers << " callers, seed " << options.seed << ": " << world.service.requests().size()
            << " requests in " << (world.service.clock()->now() - begin) / 1s << " s\n"
            << world.reported << " reported, " << world.resolved << " resolved, " << world.failed
            << " failed\n"
            << "fingerprint " << std::hex << fingerprint(world.service) << '\n';
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  takeNumber(argc, argv, "--seed", options.seed);
  takeNumber(argc, argv, "--callers", options.callers);
  expectNoMore(argc, argv, help);
  run(options);
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
