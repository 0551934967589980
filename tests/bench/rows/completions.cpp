// What each way to receive a result costs beside a callback, in CPU time of a call of the in-process fake.
#include <cstddef>
#include <ctime>
#include <deque>
#include <functional>
#include <future>
#include <latch>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/tally.h>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"

namespace tally::bench {

namespace {

constexpr std::size_t callers = 64;
constexpr std::size_t callsOfEach = 200;
constexpr std::size_t calls = callers * callsOfEach;
constexpr int rounds = 61;

constexpr double awaitGoal = 1.05;
constexpr double futureGoal = 1.35;
constexpr double executorGoal = 1.5;

/// A record, and a client of a service without limits.
struct World {
  explicit World(std::function<void(Completion)> executor = {})
      : async{service.clientOptions(key), {.executor = std::move(executor)}} {}

  fake::Service service{{.limits = false, .requestLog = 0}};
  std::string key = service.addAccount().sandboxKey;
  Id<PaymentRecord> id = service.insert<PaymentRecord>(key).id;
  AsyncClient async;
};

double microsecondsPerCall(const std::function<void()>& body) {
  const std::clock_t begin = std::clock();
  body();
  return static_cast<double>(std::clock() - begin) * 1e6 / CLOCKS_PER_SEC / calls;
}

void check(bool succeeded) {
  if (!succeeded) throw std::runtime_error{"a call failed"};
}

/// Starts the calls of all callers, and waits for them. Then again.
void retrieveInWaves(World& world) {
  for (std::size_t n = 0; n < callsOfEach; ++n) {
    for (std::size_t caller = 0; caller < callers; ++caller)
      world.async.paymentRecords().retrieve(world.id).then(
          [](const Result<PaymentRecord>& record) { check(record.has_value()); });
    world.async.run();
  }
}

/// Retrieves repeatedly, each time from the callback of the call before.
class CallbackCaller {
 public:
  explicit CallbackCaller(World& world) : world_(world) { retrieve(); }

 private:
  void retrieve() {
    world_.async.paymentRecords().retrieve(world_.id).then([this](const Result<PaymentRecord>& record) {
      check(record.has_value());
      if (++done_ < callsOfEach) retrieve();
    });
  }

  World& world_;
  std::size_t done_ = 0;
};

void retrieveInChains(World& world) {
  std::deque<CallbackCaller> running;
  for (std::size_t caller = 0; caller < callers; ++caller)
    running.emplace_back(world);
  world.async.run();
}

Task<> awaitingCaller(World& world) {
  for (std::size_t n = 0; n < callsOfEach; ++n) {
    const auto record = co_await world.async.paymentRecords().retrieve(world.id);
    check(record.has_value());
  }
}

void retrieveByAwait(World& world) {
  for (std::size_t caller = 0; caller < callers; ++caller)
    spawn(awaitingCaller(world));
  world.async.run();
}

void retrieveByFuture(World& world) {
  std::vector<std::future<Result<PaymentRecord>>> records;
  for (std::size_t n = 0; n < callsOfEach; ++n) {
    for (std::size_t caller = 0; caller < callers; ++caller)
      records.push_back(world.async.paymentRecords().retrieve(world.id).future());
    world.async.run();
    for (auto& record : records)
      check(record.get().has_value());
    records.clear();
  }
}

/// `way`, and a callback in the same order of calls.
Pair besideCallback(const std::function<void()>& way, void (*byCallback)(World&)) {
  World callback;
  return measurePair(
      rounds, [&] { return microsecondsPerCall(way); },
      [&] { return microsecondsPerCall([&] { byCallback(callback); }); });
}

Row row(const std::string& what, const Pair& pair, const std::string& reference, double goal) {
  return {.what = "retrieve through the in-process fake, " + what,
          .figure = fixed(pair.figure, 2) + " µs",
          .reference = fixed(pair.reference, 2) + " µs, " + reference,
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

/// As many completions as there are calls, in the same waves. Each begins after about the work of a call:
/// meanwhile, the other thread falls asleep, and waking it is most of a hand-over.
void completeInWaves(World& world, const std::function<void(std::latch&)>& complete) {
  constexpr int blockingRetrieves = 4;  // take as long as an asynchronous one
  const Client client{world.service.clientOptions(world.key)};
  for (std::size_t n = 0; n < callsOfEach; ++n) {
    std::latch all{callers};
    for (std::size_t caller = 0; caller < callers; ++caller) {
      for (int retrieve = 0; retrieve < blockingRetrieves; ++retrieve)
        check(client.paymentRecords().retrieve(world.id).has_value());
      complete(all);
    }
    all.wait();
  }
}

/// What a hand-over to the pool's thread adds to such a completion.
double microsecondsPerHandOver(boost::asio::thread_pool& pool) {
  World world;
  const Pair pair = measurePair(
      rounds,
      [&] {
        return microsecondsPerCall([&] {
          completeInWaves(
              world, [&pool](std::latch& all) { boost::asio::post(pool, [&all] { all.count_down(); }); });
        });
      },
      [&] {
        return microsecondsPerCall(
            [&] { completeInWaves(world, [](std::latch& all) { all.count_down(); }); });
      });
  return pair.figure - pair.reference;
}

}  // namespace

Row asyncAwaited() {
  World world;
  return row("co_await", besideCallback([&] { retrieveByAwait(world); }, retrieveInChains), "a callback",
             awaitGoal);
}

Row asyncFutures() {
  World world;
  return row("future", besideCallback([&] { retrieveByFuture(world); }, retrieveInWaves), "a callback",
             futureGoal);
}

Row asyncExecutor() {
  boost::asio::thread_pool pool{1};
  World world{[&pool](Completion done) { boost::asio::post(pool, std::move(done)); }};
  const Pair pair = besideCallback([&] { retrieveInWaves(world); }, retrieveInWaves);
  const double bare = microsecondsPerHandOver(pool);
  const double added = pair.figure - pair.reference;
  return row("what another executor adds to a callback", {added, bare, added / bare},
             "a bare hand-over between two threads", executorGoal);
}

}  // namespace tally::bench
