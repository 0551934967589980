#pragma once

// What the fragments of C++ in the pages may use without declaring it. blocks.py makes each of them the body
// of a function in this namespace: a coroutine if it has a co_await, otherwise one that returns a
// Result<void>. They are compiled, not run.

#include <chrono>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <ranges>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tally/asio.h>
#include <tally/async.h>
#include <tally/fake/http_server.h>
#include <tally/fake/service.h>
#include <tally/limits.h>
#include <tally/log_observer.h>
#include <tally/memory_share.h>
#include <tally/metrics_observer.h>
#include <tally/report_all.h>
#include <tally/report_reader.h>
#include <tally/retry_policy.h>
#include <tally/share_refresher.h>
#include <tally/sqlite_journal.h>
#include <tally/tally.h>
#include <tally/testing/fake_test.h>
#include <tally/testing/mock_payment_records.h>
#include <tally/testing/verification_matchers.h>
#include <tally/tracing.h>
#include <tally/wire_log.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <syslog.h>

// They are short: they leave results unused, and declare names again.
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused"
#pragma GCC diagnostic ignored "-Wunused-result"

namespace fragments {

using namespace std::chrono_literals;

// Clients and their parts.
extern const tally::Client client;
extern tally::AsyncClient async;
extern const tally::AsyncPaymentRecords records;
extern const std::shared_ptr<tally::Pacer> pacer;
extern const std::shared_ptr<tally::MetricsObserver> metrics;
extern const std::shared_ptr<tally::Tracer> tracer;
extern const std::shared_ptr<const tally::RetryPolicy> policy;
extern const std::string url, key, sandboxKey;
extern tally::fake::Service service;
extern const tally::fake::Account account;
extern std::stop_source source;
extern boost::asio::thread_pool pool;
extern boost::asio::io_context io;

// A report, and what became of it.
extern const tally::Id<tally::PaymentRecord> id, last;
extern const tally::Id<tally::PaymentAttemptRecord> attempt;
extern const std::chrono::sys_seconds t, yesterday;
extern const tally::PaymentRecordReportFailedParams params;
extern const tally::PaymentRecord payment, before;
extern const tally::Report report;
extern const std::shared_ptr<tally::ReportJournal> journal;
extern const tally::Result<tally::PaymentRecord> record;
extern const tally::Error error;
extern const std::function<void(tally::Result<tally::PaymentRecord>)> handler;

// Lists.
extern tally::Pager<tally::PaymentRecord> pager, payments;
extern tally::Pages<tally::PaymentRecord> pages;
extern const std::string saved;
extern const int transactions;
bool isLarge(const tally::Result<tally::PaymentRecord>& each);
bool isRecent(const tally::Result<tally::PaymentRecord>& each);
tally::Amount amountOf(const tally::Result<tally::PaymentRecord>& each);

// The application.
struct Secrets {
  [[nodiscard]] std::string current() const;
};
struct Histogram {
  void add(std::string_view operation, int status, std::chrono::nanoseconds duration);
};
extern Secrets secrets;
extern Histogram latencies;
extern const int row;
std::string orderNumber();
void save(const std::string& checkpoint);
void use(const auto& value);
boost::asio::awaitable<void> read(tally::AsyncPaymentRecords records, std::string id);
void postpone(int row);
void reject(int row);
void resolve(int row);

}  // namespace fragments
