#include <memory>
#include <utility>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/tally.h>

#include "bench/counts/canned.h"
#include "bench/counts/paths.h"
#include "bench/support/records.h"

namespace tally::bench {

namespace {

constexpr std::size_t inFlight = 64;

Task<> retrieveOften(const AsyncClient& async, const Id<PaymentRecord>& id, std::size_t count,
                     std::size_t& right) {
  for (std::size_t n = 0; n < count; ++n)
    if (co_await async.paymentRecords().retrieve(id)) ++right;
}

void startAndRun(AsyncClient& async, const Id<PaymentRecord>& id, std::size_t count) {
  std::size_t right = 0;
  for (std::size_t n = 0; n < count; ++n)
    async.paymentRecords().retrieve(id).then([&right](const Result<PaymentRecord>& record) {
      if (record) ++right;
    });
  async.run();
  check(right == count, "a call failed");
}

/// Callers of a service.
struct World {
  fake::Service service{{.limits = false}};
  std::string key = service.addAccount().sandboxKey;
  Id<PaymentRecord> id = service.insert<PaymentRecord>(key).id;
  AsyncClient async{service.clientOptions(key), {.maxInFlight = inFlight}};
};

}  // namespace

Perform asyncCall() {
  const auto async = std::make_shared<AsyncClient>(cannedOptions(namedRecord));
  return [async, id = Id<PaymentRecord>{recordId(1)}](std::size_t count) {
    for (std::size_t begun = 0; begun < count; begun += inFlight)
      startAndRun(*async, id, std::min(inFlight, count - begun));
  };
}

Perform coroutine() {
  const auto async = std::make_shared<AsyncClient>(cannedOptions(namedRecord));
  return [async, id = Id<PaymentRecord>{recordId(1)}](std::size_t count) {
    std::size_t right = 0;
    spawn(retrieveOften(*async, id, count, right));
    async->run();
    check(right == count, "a call failed");
  };
}

Perform simulatedCall() {
  return [world = std::make_shared<World>()](std::size_t count) {
    check(count % inFlight == 0, "the callers make the same number of calls");
    std::size_t right = 0;
    for (std::size_t caller = 0; caller < inFlight; ++caller)
      spawn(retrieveOften(world->async, world->id, count / inFlight, right));
    world->async.run();
    check(right == count, "a call failed");
  };
}

}  // namespace tally::bench
