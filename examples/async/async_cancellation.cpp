// Cancels a report in flight and one that waits behind it, and closes a client with outstanding calls.

#include <chrono>
#include <iostream>
#include <stop_token>
#include <string>
#include <string_view>

#include <tally/async.h>
#include <tally/fake/service.h>

namespace {

using namespace std::chrono_literals;
using tally::PaymentRecord;

constexpr std::chrono::sys_seconds failedAt{1'767'225'600s};

/// A handler that prints how a call ended.
auto printEnd(std::string_view name) {
  return [name](const tally::Result<PaymentRecord>& result) {
    std::cout << name << ": ";
    if (result) {
      std::cout << "applied\n";
    } else {
      std::cout << result.error().kind() << ", effect " << result.error().effect() << '\n';
    }
  };
}

}  // namespace

int main() {
  tally::fake::Service service;  // each request takes 50 ms
  const std::string key = service.addAccount().sandboxKey;
  tally::AsyncClient async{service.clientOptions(key)};
  const auto records = async.paymentRecords();

  // Three reports on one record: the client sends one at a time.
  auto id = service.insert<PaymentRecord>(key).id;
  std::stop_source first;
  std::stop_source second;
  records.reportFailed(id, {.failedAt = failedAt}, {.stop = first.get_token()}).then(printEnd("in flight"));
  records.reportFailed(id, {.failedAt = failedAt}, {.stop = second.get_token()}).then(printEnd("waiting"));
  records.reportFailed(id, {.failedAt = failedAt}).then(printEnd("after both"));
  async.sleepFor(10ms).then([&](const tally::Result<void>&) {
    first.request_stop();
    second.request_stop();
  });
  async.run();

  // Five more on another record; there is time for two.
  id = service.insert<PaymentRecord>(key).id;
  for (int n = 0; n < 5; ++n)
    records.reportFailed(id, {.failedAt = failedAt}).then([](const tally::Result<PaymentRecord>&) {});
  const tally::CloseResult closed = async.close(120ms);
  std::cout << closed.completed << " completed, " << closed.unknown << " unknown, " << closed.unsent
            << " unsent\n";
}
