// Every documented form of a call in a coroutine. g++ 12 destroys some temporaries twice there, which only
// the address sanitizer shows: sanitized.cmake builds this file with it, for each compiler.

#include <array>
#include <chrono>
#include <concepts>
#include <coroutine>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <tally/asio.h>
#include <tally/fake/service.h>
#include <tally/tally.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gtest/gtest.h>

namespace tally {
namespace {

using namespace std::chrono_literals;

const std::chrono::sys_seconds reportedAt{1'750'000'000s};

// What cannot be safe does not compile, since it owns something; what is safe does.

using Records = AsyncPaymentRecords;
using KnownOptions = ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>>;

template <class Params>
concept Reportable = requires(Records r, std::string id, Params&& params) {
  r.reportFailed(id, std::forward<Params>(params));
};
static_assert(Reportable<Borrowed<PaymentRecordReportFailedParams>>);
static_assert(Reportable<PaymentRecordReportFailedParams&>);
static_assert(Reportable<const PaymentRecordReportFailedParams&>);
static_assert(!Reportable<PaymentRecordReportFailedParams>);
static_assert(!Reportable<const PaymentRecordReportFailedParams>);
static_assert(!Reportable<PaymentRecordReportCanceledParams&>);

template <class Params>
concept Listable = requires(Records r, Params&& params) { r.list(std::forward<Params>(params)); };
static_assert(Listable<Borrowed<PaymentRecordListParams>>);
static_assert(Listable<const PaymentRecordListParams&>);
static_assert(!Listable<PaymentRecordListParams>);

template <class Options>
concept Optional = requires(Records r, std::string id, Options&& options) {
  r.retrieve(id, std::forward<Options>(options));
};
static_assert(Optional<Borrowed<RequestOptions>>);
static_assert(Optional<const RequestOptions&>);
static_assert(!Optional<RequestOptions>);

template <class Report>
concept Resolvable = requires(Records r, std::string id, Report&& report) {
  r.resolveReport(id, std::forward<Report>(report));
};
static_assert(Resolvable<Borrowed<PaymentRecordReportFailedParams>>);
static_assert(Resolvable<const PaymentRecordReportFailedParams&>);
static_assert(Resolvable<const PaymentRecordReport&>);
static_assert(!Resolvable<PaymentRecordReport>);
static_assert(!Resolvable<PaymentRecordReportFailedParams>);

template <class Sent>
concept Sendable = requires(Records r, Sent&& report) { r.report(std::forward<Sent>(report)); };
static_assert(Sendable<const Report&>);
static_assert(Sendable<Report&>);
static_assert(!Sendable<Report>);

template <class Known>
concept Checkable = requires(Records r, std::string id, const PaymentRecordReport& report, Known&& known) {
  r.checkReport(id, report, std::forward<Known>(known));
};
static_assert(Checkable<const KnownOptions&>);
static_assert(!Checkable<KnownOptions>);

// So are members.
template <class T, class Value>
concept Borrowable = std::convertible_to<Value, Borrowed<T>>;
static_assert(Borrowable<std::optional<PaymentRecord>, const PaymentRecord&>);
static_assert(Borrowable<std::optional<PaymentRecord>, std::optional<PaymentRecord>>);
static_assert(!Borrowable<std::optional<PaymentRecord>, PaymentRecord>);
static_assert(Borrowable<std::optional<std::string>, std::string>);
// Its text would be a temporary that is gone when the method reads it.
static_assert(!Borrowable<std::optional<std::string>, const std::filesystem::path&>);
static_assert(Borrowable<Header, const Header&>);
static_assert(!Borrowable<Header, Header>);
static_assert(Borrowable<Param, const Param&>);
static_assert(!Borrowable<Param, Param>);
static_assert(Borrowable<RawJson, const RawJson&>);
static_assert(!Borrowable<RawJson, RawJson>);
static_assert(Borrowable<std::optional<Id<PaymentRecord>>, Id<PaymentRecord>>);
static_assert(!Borrowable<std::optional<Id<PaymentRecord>>, Id<Payout>>);
using TwoPairs = std::array<std::pair<std::string, std::string>, 2>;
static_assert(Borrowable<MetadataEdit, MetadataEdit>);
static_assert(Borrowable<MetadataEdit, const TwoPairs&>);
static_assert(!Borrowable<MetadataEdit, TwoPairs>);

struct OwningConsumer {
  std::string text{};
  bool operator()(const PaymentRecord&) const { return true; }
};
struct ReferringConsumer {
  bool operator()(const PaymentRecord&) const { return true; }
};
template <class Consume>
concept Consuming = requires(AsyncPager<PaymentRecord> pager, Consume&& consume) {
  pager.forEach(std::forward<Consume>(consume));
};
static_assert(Consuming<ReferringConsumer>);
static_assert(Consuming<const OwningConsumer&>);
static_assert(Consuming<std::function<bool(PaymentRecord&)>>);
static_assert(!Consuming<OwningConsumer>);

/// What a form did: its result as text.
template <class T>
std::string told(const Result<T>& result) {
  return result.has_value() ? "success" : result.error().toString();
}

/// A user's own coroutine type.
struct Fire {
  struct promise_type {
    static Fire get_return_object() { return {}; }
    static std::suspend_never initial_suspend() { return {}; }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() {}
    static void unhandled_exception() { std::terminate(); }
  };
};

class CoroutineForms : public testing::Test {
 protected:
  void runAll() {
    boost::asio::post(io, [this] { async.run(); });
    io.run();
    EXPECT_TRUE(finished);
  }

  template <class T>
  void expectSuccess(const Result<T>& result) {
    EXPECT_EQ(told(result), "success");
  }

  fake::Service service{};
  fake::Account account = service.addAccount();
  PaymentRecord record = service.insert<PaymentRecord>(account.sandboxKey);
  std::string id = record.id.str();
  AsyncClient async{service.clientOptions(account.sandboxKey)};
  AsyncPaymentRecords records = async.paymentRecords();
  boost::asio::io_context io{};
  std::stop_source stop{};
  bool finished = false;

  Task<> awaitReports() {
    expectSuccess(co_await records.retrieve(id));
    expectSuccess(co_await records.retrieve(record.id));
    expectSuccess(co_await records.retrieve(record.id.str().c_str()));
    expectSuccess(co_await records.retrieve(id, {.stop = stop.get_token()}));
    expectSuccess(co_await records.retrieve(
        id, {.apiKey = std::string{account.sandboxKey}, .timeout = 5s, .stop = stop.get_token()}));
    expectSuccess(co_await records.reportFailed(id, {.failedAt = reportedAt}));
    expectSuccess(co_await records.reportFailed(id, {.failedAt = reportedAt, .metadata = {{"order", "42"}}}));
    expectSuccess(co_await records.reportFailed(
        id, {.failedAt = reportedAt, .metadata = {{"order", "42"}, {"till", std::string(40, '7')}}}));
    expectSuccess(co_await records.reportFailed(
        id, {.failedAt = reportedAt, .metadata = {{"order", "42"}}},
        {.maxNetworkRetries = 1, .totalTimeout = 30s, .stop = stop.get_token()}));
    MetadataEdit edit;
    edit.set("a long key of metadata", std::string(40, 'v'));
    expectSuccess(co_await records.reportFailed(id, {.failedAt = reportedAt, .metadata = edit}));
    expectSuccess(
        co_await records.reportFailed(id, {.failedAt = reportedAt, .metadata = MetadataEdit{edit}}));
    const PaymentRecordReportFailedParams named{.failedAt = reportedAt, .metadata = edit};
    expectSuccess(co_await records.reportFailed(id, named));
    expectSuccess(co_await records.reportFailed(
        id, Borrowed<PaymentRecordReportFailedParams>{.failedAt = reportedAt, .metadata = edit}));
    auto stored = records.reportFailed(id, {.failedAt = reportedAt, .metadata = {{"order", "42"}}});
    expectSuccess(co_await stored);
    const RequestOptions options{.apiKey = account.sandboxKey, .stop = stop.get_token()};
    expectSuccess(co_await records.retrieve(id, options));
    EXPECT_EQ((co_await records.retrieve(id)).value().id, record.id);
    finished = true;
  }

  Task<> awaitLists() {
    EXPECT_EQ((co_await records.list().nextPage()).value()->data.size(), 1U);
    auto pager = records.list({.limit = 2, .startingAfter = {}}, {.stop = stop.get_token()});
    while (auto page = (co_await pager.nextPage()).value())
      EXPECT_EQ(page->data.size(), 1U);
    int seen = 0;
    EXPECT_EQ(
        (co_await records.list({.limit = 2}).forEach([&](PaymentRecord&) { return ++seen > 0; })).value(),
        1U);
    const std::string text(40, 't');
    const auto consume = [text](const PaymentRecord&) { return !text.empty(); };
    EXPECT_EQ((co_await records.list({.limit = 2}).forEach(consume)).value(), 1U);
    auto found =
        records.search({.query = std::string{R"(metadata["order"]:"42")"}, .expand = {"total_count"}},
                       {.stop = stop.get_token()});
    expectSuccess(co_await found.nextPage());
    expectSuccess(co_await records.search({.query = R"(metadata["order"]:"42")"}).nextPage());
    using q = PaymentRecordSearchFields;
    expectSuccess(co_await records.search(q::metadata("order") == std::string(40, '4')).nextPage());
    expectSuccess(co_await records.search(q::created > reportedAt, {.stop = stop.get_token()}).nextPage());
    expectSuccess(
        co_await records
            .search({.query = q::created > reportedAt && q::description != text, .expand = {"total_count"}})
            .nextPage());
    const SearchQuery<PaymentRecord> query = q::description.contains(text) || q::description == text;
    expectSuccess(co_await records.search({.query = query}).nextPage());
    finished = true;
  }

  Task<> awaitResolvedReports() {
    const KnownOptions known{.before = record};
    expectSuccess(co_await records.resolveReport(
        id, Borrowed<PaymentRecordReportFailedParams>{.failedAt = reportedAt, .metadata = {{"order", "42"}}},
        known));
    expectSuccess(co_await records.resolveReport(
        id, Borrowed<PaymentRecordReportFailedParams>{.failedAt = reportedAt, .metadata = {{"order", "42"}}},
        {.before = record}, {.stop = stop.get_token()}));
    const PaymentRecordReport report = PaymentRecordReportFailedParams{.failedAt = reportedAt};
    expectSuccess(co_await records.checkReport(id, report, {}, {.stop = stop.get_token()}));
    finished = true;
  }

  Task<> awaitAnyReports() {
    expectSuccess(co_await records.report(id, Borrowed<PaymentRecordReportFailedParams>{
                                                  .failedAt = reportedAt, .metadata = {{"order", "42"}}}));
    expectSuccess(co_await records.report(
        id, Borrowed<PaymentRecordReportFailedParams>{.failedAt = reportedAt, .metadata = {{"order", "42"}}},
        {.stop = stop.get_token()}));
    const PaymentRecordReport byParameters = PaymentRecordReportFailedParams{.failedAt = reportedAt};
    expectSuccess(co_await records.report(id, byParameters));
    const Report report{
        .id = id, .outcome = "failed", .time = reportedAt, .metadata = {{"order", std::string(40, '4')}}};
    expectSuccess(co_await records.report(report));
    expectSuccess(co_await records.report(report, {.stop = stop.get_token()}));
    finished = true;
  }

  Fire awaitInAnotherCoroutine() {
    expectSuccess(co_await records.reportFailed(
        id, {.failedAt = reportedAt, .metadata = {{"order", std::string(40, '4')}}},
        {.stop = stop.get_token()}));
    finished = true;
  }

  boost::asio::awaitable<void> awaitInAsio() {
    using boost::asio::use_awaitable;
    expectSuccess(co_await records.retrieve(id)(use_awaitable));
    expectSuccess(co_await records.reportFailed(
        id, {.failedAt = reportedAt, .metadata = {{"order", std::string(40, '4')}}},
        {.stop = stop.get_token()})(use_awaitable));
    const auto [read] =
        co_await records.retrieve(id, {.stop = stop.get_token()})(boost::asio::as_tuple(use_awaitable));
    expectSuccess(read);
    auto stored = records.reportFailed(id, {.failedAt = reportedAt, .metadata = {{"order", "42"}}});
    expectSuccess(co_await stored(use_awaitable));
    expectSuccess(co_await records.resolveReport(
        id, Borrowed<PaymentRecordReportFailedParams>{.failedAt = reportedAt, .metadata = {{"order", "42"}}},
        {.before = record}, {.stop = stop.get_token()})(use_awaitable));
    auto pager = records.list({.limit = 2}, {.stop = stop.get_token()});
    EXPECT_EQ((co_await pager.nextPage()(use_awaitable)).value()->data.size(), 1U);
    int seen = 0;
    expectSuccess(co_await records.list({.limit = 2}).forEach([&](PaymentRecord&) {
      return ++seen > 0;
    })(use_awaitable));
    finished = true;
  }
};

TEST_F(CoroutineForms, AreSafeForReportsAndReads) {
  spawn(awaitReports());
  runAll();
}

TEST_F(CoroutineForms, AreSafeForLists) {
  spawn(awaitLists());
  runAll();
}

TEST_F(CoroutineForms, AreSafeForResolvedReports) {
  spawn(awaitResolvedReports());
  runAll();
}

TEST_F(CoroutineForms, AreSafeForAnyKindOfReport) {
  spawn(awaitAnyReports());
  runAll();
}

TEST_F(CoroutineForms, AreSafeInCustomCoroutines) {
  awaitInAnotherCoroutine();
  runAll();
}

TEST_F(CoroutineForms, AreSafeInAsioCoroutines) {
  boost::asio::co_spawn(io, awaitInAsio(), boost::asio::detached);
  runAll();
}

}  // namespace
}  // namespace tally
