// Reports on twenty payments at once, in one thread, and reads one of them in a coroutine.

#include <chrono>
#include <iostream>
#include <string>

#include <tally/async.h>
#include <tally/fake/service.h>

namespace {

using namespace std::chrono_literals;

/// Parameters by value, because the coroutine outlives the call that starts it.
tally::Task<> readLater(tally::AsyncPaymentRecords records, tally::AsyncClient& async, std::string id) {
  if (!co_await async.sleepFor(1s)) co_return;
  const auto record = co_await records.retrieve(id);
  if (record) std::cout << "a second later: " << record.value().amountFailed << " failed\n";
}

}  // namespace

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  tally::AsyncClient async{service.clientOptions(key)};
  const auto records = async.paymentRecords();
  const tally::Instant begin = service.clock()->now();

  int reported = 0;
  std::string id;
  for (int n = 0; n < 20; ++n) {
    id = service.insert<tally::PaymentRecord>(key).id.str();
    records.reportFailed(id, {.failedAt = begin})
        .then([&](const tally::Result<tally::PaymentRecord>& result) {
          if (!result) return;
          if (++reported == 20)
            std::cout << "20 reports in " << (service.clock()->now() - begin) / 1ms << " ms\n";
        });
  }
  tally::spawn(readLater(records, async, id));
  async.run();
}
