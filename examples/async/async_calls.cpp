// The same report with a callback, with a future and in a coroutine.

#include <chrono>
#include <future>
#include <iostream>
#include <string>
#include <string_view>

#include <tally/async.h>
#include <tally/fake/service.h>

namespace {

using namespace std::chrono_literals;
using tally::PaymentRecord;

constexpr std::chrono::sys_seconds failedAt{1'767'225'600s};

void print(std::string_view way, const tally::Result<PaymentRecord>& result) {
  std::cout << way << ": ";
  if (result) {
    std::cout << "order " << result.value().metadata.at("order") << '\n';
  } else {
    std::cout << result.error() << '\n';
  }
}

/// Parameters by value or of main(): the coroutine outlives the expression that starts it.
tally::Task<> reportAndRead(const tally::AsyncClient& async, std::string id) {
  const auto records = async.paymentRecords();
  const auto reported =
      co_await records.reportFailed(id, {.failedAt = failedAt, .metadata = {{"order", "3"}}});
  print("coroutine, reported", reported);
  print("coroutine, read", co_await records.retrieve(id));
}

}  // namespace

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto newRecord = [&] { return service.insert<PaymentRecord>(key).id.str(); };
  tally::AsyncClient async{service.clientOptions(key)};
  const auto records = async.paymentRecords();

  records.reportFailed(newRecord(), {.failedAt = failedAt, .metadata = {{"order", "1"}}})
      .then([](const tally::Result<PaymentRecord>& result) { print("callback", result); });

  std::future<tally::Result<PaymentRecord>> future =
      records.reportFailed(newRecord(), {.failedAt = failedAt, .metadata = {{"order", "2"}}}).future();

  tally::spawn(reportAndRead(async, newRecord()));

  const tally::Instant begin = service.clock()->now();
  async.run();  // carries out the calls, because the fake is in this process
  print("future", future.get());
  std::cout << service.requests().size() << " requests in " << (service.clock()->now() - begin) / 1ms
            << " ms\n";
}
