// A blocking and an asynchronous call take the same parameters and options, written in the same way. Each
// text below is compiled for both, and sends the same request. sanitized.cmake shows that g++ 12 does not
// destroy anything in it twice.

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/operation.h"

namespace tally {
namespace {

using namespace std::chrono_literals;

const std::string longText(60, 't');
constexpr std::chrono::sys_seconds textTime{1'750'000'000s};

/// The service of one form of calls.
struct TextService {
  fake::Service service{};
  std::string key = service.addAccount().sandboxKey;
  PaymentRecord record = service.insert<PaymentRecord>(key);
  std::string otherKey = service.addAccount().sandboxKey;
  Subscription subscription = service.insert<Subscription>(key);
  PaymentIntent intent = service.insert<PaymentIntent>(key);

  [[nodiscard]] HttpRequest lastRequest() const { return service.requests().list().back().request; }
};

class SourceForBothClients : public testing::Test {
 protected:
  void run(Task<> calls) {
    spawn(std::move(calls));
    async.run();
    EXPECT_TRUE(finished);
  }

  template <class Blocking, class Asynchronous>
  void expectSame(const char* text, const Blocking& blocking, const Asynchronous& asynchronous) {
    const HttpRequest one = blockingService.lastRequest();
    const HttpRequest other = asynchronousService.lastRequest();
    EXPECT_EQ(one.method, other.method) << text;
    EXPECT_EQ(one.url, other.url) << text;
    EXPECT_EQ(one.body, other.body) << text;
    EXPECT_EQ(chosenHeaders(one), chosenHeaders(other)) << text;
    EXPECT_EQ(blocking.has_value(), asynchronous.has_value()) << text;
    EXPECT_EQ(blockingService.service.requests().size(), asynchronousService.service.requests().size());
    called.insert(blockingService.service.requests().list().back().operation);
  }

  /// Those that the options of a call choose.
  static std::string chosenHeaders(const HttpRequest& request) {
    std::string found;
    for (const Header& header : request.headers)
      if (header.name == "Authorization" || header.name.starts_with("X-"))
        found += header.name + ": " + header.value + '\n';
    return found;
  }

  // With the same seed, both have objects with the same identifiers.
  TextService blockingService{};
  TextService asynchronousService{};
  Client client{blockingService.service.clientOptions(blockingService.key)};
  AsyncClient async{asynchronousService.service.clientOptions(asynchronousService.key)};
  std::set<std::string> called{};
  bool finished = false;

  Task<> makeEveryCall();
  Task<> nameEverything();
  Task<> passOptions();
  Task<> reportInEveryForm();
};

// NOLINTBEGIN(cppcoreguidelines-macro-usage): only a macro can repeat a text in braces
/// Makes the same call on both clients: `service().method(…)`.
#define BOTH(...)                                         \
  do {                                                    \
    const auto blocking = client.__VA_ARGS__;             \
    const auto asynchronous = co_await async.__VA_ARGS__; \
    expectSame(#__VA_ARGS__, blocking, asynchronous);     \
  } while (false)
/// The same for lists and searches.
#define BOTH_PAGES(...)                                              \
  do {                                                               \
    const auto blocking = client.__VA_ARGS__.collect(1);             \
    const auto asynchronous = co_await async.__VA_ARGS__.nextPage(); \
    expectSame(#__VA_ARGS__, blocking, asynchronous);                \
  } while (false)
// NOLINTEND(cppcoreguidelines-macro-usage)

Task<> SourceForBothClients::makeEveryCall() {
  const std::string record = blockingService.record.id.str();
  const Id<PaymentIntent> intent = blockingService.intent.id;
  const Id<Subscription> subscription = blockingService.subscription.id;

  BOTH(coreAccounts().create({.country = "DE", .metadata = {{"order", longText}}}));
  BOTH(accounts().create({.country = "DE", .metadata = {{"order", longText}, {"till", "7"}}}));
  BOTH(files().create({.purpose = longText, .filename = "a & b.csv"}));
  BOTH(invoices().create({.subscription = subscription, .metadata = {{"order", longText}}}));
  BOTH(issuingCards().create({.description = longText, .metadata = {{"order", longText}}}));
  BOTH(paymentIntents().create({.amount = 5, .currency = "eur", .description = longText}));
  BOTH(paymentIntents().update(intent, {.description = longText, .metadata = {{"order", "42"}}}));
  BOTH(payouts().create({.amount = 5, .currency = "eur", .metadata = {{"order", longText}}}));
  BOTH(subscriptions().create({.quantity = 3, .description = longText}));
  BOTH(subscriptions().update(subscription, {.quantity = 4, .metadata = {{"order", longText}}}));
  BOTH(paymentRecords().reportCanceled(record, {.canceledAt = textTime}));
  BOTH(paymentRecords().reportFailed(record, {.failedAt = textTime, .metadata = {{"order", longText}}}));
  BOTH(paymentRecords().reportGuaranteed(
      record, {.guaranteedAt = std::chrono::sys_time<std::chrono::milliseconds>{1'750'000'000'999ms}}));

  BOTH_PAGES(accounts().list({.limit = 2, .startingAfter = "acct_" + longText}));
  BOTH_PAGES(dataExports().list({.limit = 2, .endingBefore = std::optional<std::string>{}}));
  BOTH_PAGES(files().list({.limit = 2, .startingAfter = {}}));
  BOTH_PAGES(invoices().list({.limit = 2, .subscription = subscription}));
  BOTH_PAGES(issuingCards().list({.limit = 2}));
  BOTH_PAGES(paymentIntents().list({.endingBefore = intent}));
  BOTH_PAGES(paymentRecords().list({.startingAfter = record.c_str()}));
  BOTH_PAGES(payouts().list({.limit = 2}));
  BOTH_PAGES(reportingReportRuns().list({.limit = 2}));
  BOTH_PAGES(subscriptions().list({.startingAfter = std::optional{subscription}}));
  BOTH_PAGES(taxRegistrations().list({}));
  BOTH_PAGES(invoices().search({.query = longText, .limit = 2}));
  BOTH_PAGES(paymentIntents().search({.query = R"(metadata["order"]:"42")", .expand = {"total_count"}}));
  BOTH_PAGES(paymentRecords().search({.query = std::string{"created>0"}, .page = std::nullopt}));
  BOTH_PAGES(subscriptions().search({.query = longText, .limit = 2, .page = longText}));
  BOTH_PAGES(subscriptions().search(SubscriptionSearchFields::description == longText));
  BOTH_PAGES(invoices().search({.query = !(InvoiceSearchFields::subscription == subscription), .limit = 2}));
  finished = true;
}

TEST_F(SourceForBothClients, CanMakeEveryCallWithParameters) {
  run(makeEveryCall());
  for (const detail::AnyOperation* operation : detail::operations)
    EXPECT_EQ(called.contains(std::string{operation->name}), operation->params != nullptr) << operation->name;
}

Task<> SourceForBothClients::nameEverything() {
  const std::string record = blockingService.record.id.str();
  MetadataEdit edit;
  for (int i = 0; i < 20; ++i)
    edit.set("key" + std::to_string(i), longText);
  edit.unset("till");
  const std::map<std::string, std::string> pairs{{"order", longText}};
  const PaymentRecordReportFailedParams failed{.failedAt = textTime, .metadata = edit};
  PayoutCreateParams payout;
  payout.amount = 500;
  payout.currency = "eur";
  payout.description = longText;
  const PaymentRecordSearchParams search{.query = longText, .expand = {"total_count"}};
  const std::optional<Id<PaymentRecord>> cursor{record};
  const std::vector<std::string> expand{"total_count"};

  BOTH(paymentRecords().reportFailed(record, failed));
  BOTH(paymentRecords().reportFailed(record, {.failedAt = failed.failedAt, .metadata = failed.metadata}));
  BOTH(paymentRecords().reportFailed(record, {.failedAt = textTime, .metadata = pairs}));
  BOTH(paymentRecords().reportFailed(record, {.failedAt = textTime, .metadata = MetadataEdit::unsetAll()}));
  BOTH(paymentRecords().reportFailed(
      record, {.failedAt = textTime, .metadata = std::map<std::string, std::string>(pairs)}));
  BOTH(payouts().create(payout));
  BOTH(payouts().create({.amount = payout.amount, .currency = payout.currency}));
  BOTH_PAGES(paymentRecords().search(search));
  BOTH_PAGES(paymentRecords().search({.query = search.query, .expand = expand}));
  BOTH_PAGES(paymentRecords().list({.startingAfter = cursor}));
  finished = true;
}

TEST_F(SourceForBothClients, CanPassNamedParameters) {
  run(nameEverything());
}

Task<> SourceForBothClients::passOptions() {
  const std::string record = blockingService.record.id.str();
  const ApiKey key{asynchronousService.otherKey};
  const Header header{"X-Named", longText};
  const Param param{"tea", longText};
  const std::vector<Header> headers{header, {"X-Second", longText}};
  std::stop_source stop;
  std::vector<Attempt> attempts;
  const RequestOptions named{.apiKey = key,
                             .connectedAccount = "",
                             .timeout = 7s,
                             .stop = stop.get_token(),
                             .headers = headers,
                             .extraParams = {{"tea", longText}},
                             .attempts = &attempts};

  BOTH(paymentRecords().retrieve(record, {.apiKey = key, .timeout = 5s}));
  BOTH(paymentRecords().retrieve(record, {.apiKey = asynchronousService.otherKey, .connectedAccount = ""}));
  BOTH(paymentRecords().retrieve(record, {.apiKey = ApiKey{asynchronousService.otherKey}}));
  BOTH(paymentRecords().retrieve(record, {.headers = {{"X-One", "1"}, {"X-Long", longText}, header}}));
  BOTH(paymentRecords().retrieve(record, {.headers = {{.name = "X-One", .value = longText}}}));
  BOTH(paymentRecords().retrieve(record, {.headers = headers}));
  BOTH(paymentRecords().retrieve(record, {.extraParams = {{"milk", "a"}, param}}));
  BOTH(paymentRecords().retrieve(
      record,
      {.maxNetworkRetries = 2, .retryRateLimited = true, .totalTimeout = 9s, .deadline = Instant::max()}));
  BOTH(paymentRecords().retrieve(record, {.stop = stop.get_token(), .attempts = &attempts}));
  EXPECT_EQ(attempts.size(), 2U);
  BOTH(paymentRecords().retrieve(record, named));
  EXPECT_EQ(attempts.size(), 4U);
  stop.request_stop();
  const auto stopped = co_await async.paymentRecords().retrieve(record, named);
  EXPECT_EQ(stopped.error().kind(), ErrorKind::canceled);
  finished = true;
}

TEST_F(SourceForBothClients, CanSetEveryOption) {
  run(passOptions());
}

Task<> SourceForBothClients::reportInEveryForm() {
  using Failed = PaymentRecordReportFailedParams;
  const Id<PaymentRecord> id = blockingService.record.id;
  const PaymentRecord before = blockingService.record;
  const std::optional<PaymentRecord> maybeBefore{before};
  const Failed failed{.failedAt = textTime, .metadata = {{"order", longText}}};
  const PaymentRecordReport any = failed;
  const Report report{.id = id.str(), .outcome = "failed", .time = textTime};
  const ReportCheckOptions<PaymentRecord, Id<PaymentAttemptRecord>> known{.before = before};

  BOTH(paymentRecords().report(id, failed));
  BOTH(paymentRecords().report(id, any));
  BOTH(
      paymentRecords().report(id, Borrowed<Failed>{.failedAt = textTime, .metadata = {{"order", longText}}}));
  BOTH(paymentRecords().report(report));
  BOTH(paymentRecords().checkReport(id, failed));
  BOTH(paymentRecords().checkReport(id, any, {.before = before}));
  BOTH(paymentRecords().checkReport(id, failed, {.before = maybeBefore}, {.timeout = 5s}));
  BOTH(paymentRecords().checkReport(id, failed, {.before = std::optional{before}, .attempt = "par_1"}));
  BOTH(paymentRecords().checkReport(id, failed, {.attempt = before.latestPaymentAttemptRecord}));
  BOTH(paymentRecords().resolveReport(id, failed, known, {.headers = {{"X-One", longText}}}));
  BOTH(paymentRecords().resolveReport(id, Borrowed<Failed>{.failedAt = textTime}, {.before = before}));
  finished = true;
}

TEST_F(SourceForBothClients, CanPassReportsAndReportCheckOptions) {
  run(reportInEveryForm());
}

}  // namespace
}  // namespace tally
