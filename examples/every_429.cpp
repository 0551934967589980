// Meets each kind of 429 at the fake's own limits, and counts how the calls end: without retries,
// with retries, with retries of rate limits too, and with a pacer.

#include <chrono>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/pacer.h>

namespace {

using namespace std::chrono_literals;
using tally::AsyncClient;
using tally::fake::Service;

struct Outcome {
  int failed = 0;
  std::size_t refused = 0;
  std::optional<tally::Error> error{};  // of the first call that failed

  auto counter() {
    return [this](const auto& result) {
      if (result) return;
      ++failed;
      if (!error) error = result.error();
    };
  }
};

const std::string record = "pr_1";
constexpr std::chrono::sys_seconds failedAt{1'767'225'600s};

void report(const AsyncClient& async, int, Outcome& outcome) {
  async.paymentRecords().reportFailed(record, {.failedAt = failedAt}).then(outcome.counter());
}

void retrieve(const AsyncClient& async, int, Outcome& outcome) {
  async.paymentRecords().retrieve(record).then(outcome.counter());
}

void payOut(const AsyncClient& async, int, Outcome& outcome) {
  async.payouts().create({.amount = 500, .currency = "eur"}).then(outcome.counter());
}

/// Calls two endpoints in turn, so that neither reaches its own limit first.
void retrieveOrPayOut(const AsyncClient& async, int number, Outcome& outcome) {
  (number % 2 == 0 ? retrieve : payOut)(async, number, outcome);
}

/// A report of another process locks the record for 5 s, which is 2 s longer than a request waits.
void lockRecord(Service& service, const std::string& key) {
  service.durations().set("payment_records.report_failed", 5s);
  (void)service.handle({.method = tally::Method::post,
                        .url = "/v1/payment_records/" + record + "/report_payment_attempt_failed",
                        .headers = {{"Authorization", "Bearer " + key}},
                        .body = "failed_at=1767225600"});
  service.durations().reset();
}

void slowPayouts(Service& service, const std::string&) {
  service.durations().set("payouts.create", 2500ms);
}

/// The specification has no number for this limit, so it is off until one is set.
void limitAllInProgress(Service& service, const std::string&) {
  service.limits().set({.limit = "global_concurrency", .value = 20});
}

/// Another process makes all the reads that an account without transactions may make in 30 days.
void useUpReads(Service& service, const std::string& key) {
  for (int n = 0; n < 10'000; ++n) {
    (void)service.handle(
        {.url = "/v1/payment_records/" + record, .headers = {{"Authorization", "Bearer " + key}}});
    service.clock()->advance(100ms);
  }
}

/// Calls that exceed a limit in each of the `seconds`.
struct Excess {
  int calls = 0;
  int seconds = 1;
  void (*call)(const AsyncClient&, int number, Outcome&) = nullptr;
  void (*prepare)(Service&, const std::string& key) = [](Service&, const std::string&) {};
  bool livemode = false;
};

constexpr Excess excesses[] = {
    {.calls = 1, .call = report, .prepare = lockRecord},
    {.calls = 30, .call = retrieveOrPayOut},            // 25 requests per second in the sandbox
    {.calls = 30, .call = retrieve, .livemode = true},  // 25 per second for each endpoint
    {.calls = 20, .call = payOut},                      // 15 payouts per second
    {.calls = 15, .seconds = 3, .call = payOut, .prepare = slowPayouts},  // 30 payouts in progress
    {.calls = 25, .call = retrieveOrPayOut, .prepare = limitAllInProgress},
    {.calls = 1, .call = retrieve, .prepare = useUpReads},
};

tally::Task<> makeCalls(const AsyncClient& async, const Excess& excess, Outcome& outcome) {
  for (int second = 0; second < excess.seconds; ++second) {
    for (int n = 0; n < excess.calls; ++n)
      excess.call(async, n, outcome);
    if (!co_await async.sleepFor(1s)) co_return;
  }
}

/// What a client does about refusals, in addition to the policies before it.
struct Policy {
  const char* name = "";
  void (*add)(tally::ClientOptions&) = nullptr;
};

constexpr Policy policies[] = {
    {"no retries", [](tally::ClientOptions&) {}},
    {"maxNetworkRetries", [](tally::ClientOptions& options) { options.maxNetworkRetries = 4; }},
    {"retryRateLimited", [](tally::ClientOptions& options) { options.retryRateLimited = true; }},
    {"pacer", [](tally::ClientOptions& options) { options.pacer = std::make_shared<tally::Pacer>(); }},
};

Outcome run(const Excess& excess, std::size_t policy) {
  Service service;
  const auto account = service.addAccount();
  const std::string& key = excess.livemode ? account.liveKey : account.sandboxKey;
  service.insert<tally::PaymentRecord>(key, [](tally::PaymentRecord& payment) { payment.id = record; });
  excess.prepare(service, key);
  service.requests().clear();

  tally::ClientOptions options = service.clientOptions(key);
  for (std::size_t n = 0; n <= policy; ++n)
    policies[n].add(options);
  AsyncClient async{options};
  Outcome outcome;
  tally::spawn(makeCalls(async, excess, outcome));
  async.run();
  outcome.refused = service.requests().count({.status = 429});
  return outcome;
}

/// What the service says about a refusal.
std::string reasonOf(const tally::Error& error) {
  return error.rateLimitedReason() ? error.rateLimitedReason()->str() : error.code();
}

void print(const Excess& excess) {
  const std::string reason = reasonOf(run(excess, 0).error.value());
  std::cout << std::left << std::setw(25) << reason << std::right << std::setw(5)
            << excess.calls * excess.seconds;
  for (std::size_t policy = 0; policy < std::size(policies); ++policy) {
    const Outcome outcome = run(excess, policy);
    std::cout << std::setw(14) << outcome.failed << " /" << std::setw(3) << outcome.refused;
  }
  std::cout << '\n';
}

}  // namespace

int main() {
  std::cout << "Calls that failed / requests that were refused:\n\nrefused by               calls";
  for (const Policy& policy : policies)
    std::cout << std::setw(19) << policy.name;
  std::cout << '\n';
  for (const Excess& excess : excesses)
    print(excess);
}
