// Reads a list asynchronously: object by object with prefetch, then page by page from a checkpoint.

#include <iostream>
#include <string>
#include <utility>

#include <tally/async.h>
#include <tally/fake/service.h>

namespace {

using tally::PaymentRecord;

tally::Task<> readRest(tally::AsyncPager<PaymentRecord> pager) {
  while (true) {
    const auto page = co_await pager.nextPage();
    if (!page) {
      std::cout << page.error() << '\n';  // the next call would request the same page again
      co_return;
    }
    if (!page.value()) co_return;
    std::cout << "a page of " << page.value()->data.size() << '\n';
  }
}

}  // namespace

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  for (int n = 0; n < 250; ++n)
    service.insert<PaymentRecord>(key);
  tally::AsyncClient async{service.clientOptions(key)};

  auto pager = async.paymentRecords().list({.limit = 100}).prefetch();
  int seen = 0;
  auto consumed = pager.forEach([&](const PaymentRecord&) { return ++seen <= 120; }).future();
  async.run();
  std::cout << consumed.get().value() << " objects, then a checkpoint\n";

  tally::spawn(readRest(async.paymentRecords().list({.limit = 100}).resumeFrom(pager.checkpoint())));
  async.run();
}
