// Reports in coroutines of Boost.Asio: each reports a payment as failed, waits for a timer of Asio, and reads
// the payment again.

#include <chrono>
#include <exception>
#include <iostream>
#include <string>

#include <tally/asio.h>
#include <tally/async.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "support/target.h"

namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;

constexpr std::string_view help = R"(usage: asio_calls [--base-url URL]

Reports the three newest payments as failed, in a fake in this process, or at URL with the key in TALLY_API_KEY.
)";

/// Parameters by value, because the coroutine outlives the call that starts it.
asio::awaitable<void> reportAndRead(tally::AsyncPaymentRecords records, std::string id,
                                    std::chrono::sys_seconds failedAt) {
  (co_await records.reportFailed(id, {.failedAt = failedAt})(asio::use_awaitable)).value();
  asio::steady_timer timer{co_await asio::this_coro::executor, 1ms};
  co_await timer.async_wait(asio::use_awaitable);
  const auto read = co_await records.retrieve(id)(asio::use_awaitable);
  std::cout << read.value().amountFailed << " failed\n";
}

/// Passes the exception of a coroutine on to io_context::run(). value() throws the error of a call.
void rethrow(const std::exception_ptr& exception) {
  if (exception) std::rethrow_exception(exception);
}

asio::awaitable<void> reportNewest(tally::AsyncPaymentRecords records, std::chrono::sys_seconds failedAt) {
  auto pager = records.list({.limit = 3});
  const auto page = (co_await pager.nextPage()(asio::use_awaitable)).value();
  if (!page) co_return;  // there is no payment
  for (const tally::PaymentRecord& payment : page->data)
    asio::co_spawn(co_await asio::this_coro::executor, reportAndRead(records, payment.id.str(), failedAt),
                   rethrow);
}

/// With the fake in this process, calls make progress only in AsyncClient::run(). It returns when none has
/// been started, so call it after each step of Asio, in which a coroutine may start one. The first run() is
/// for calls that were started before.
void runInProcess(asio::io_context& io, tally::AsyncClient& async) {
  do {
    async.run();
  } while (io.run_one() > 0);
}

}  // namespace

int main(int argc, char** argv) try {
  const auto baseUrl = takeOption(argc, argv, "--base-url");
  expectNoMore(argc, argv, help);
  tally::fake::Service fake;
  const Target target{fake, fake.addAccount().sandboxKey, baseUrl.value_or("")};
  for (int payment = 1; payment <= 3; ++payment)
    fake.insert<tally::PaymentRecord>(target.fakeKey, [payment](tally::PaymentRecord& record) {
      record.amountRequested = {"eur", std::int64_t{100} * payment};
    });

  asio::io_context io;
  tally::AsyncClient async{target.clientOptions()};
  const auto now = std::chrono::floor<std::chrono::seconds>(async.clock().now());
  asio::co_spawn(io, reportNewest(async.paymentRecords(), now), rethrow);
  if (baseUrl) {
    io.run();  // the AsyncClient has its own thread
  } else {
    runInProcess(io, async);
  }
} catch (const tally::Exception& exception) {
  std::cerr << exception.what() << '\n';
  return 1;
}
