#include "simulation/parties/crowd.h"

#include <algorithm>
#include <set>
#include <utility>

#include "stress/sending.h"

namespace tally::simulation {

namespace {

using namespace std::chrono_literals;

constexpr int triesOfWalk = 20;

}  // namespace

void Crowd::run(const ClientOptions& options, const AsyncOptions& asyncOptions) {
  async_.emplace(options, asyncOptions);
  for (std::size_t number = 0; number < plan_.callers; ++number)
    spawn(caller());
  async_->run();
}

Task<> Crowd::caller() {
  for (std::size_t call = 0; call < plan_.callsOfEach; ++call) {
    const Instant time = nextCall();
    (void)co_await async_->sleepUntil(time);
    if (!network_.isChaotic() || network_.history().isOver()) break;
    co_await this->call();
  }
  --busy_;
}

Instant Crowd::nextCall() {
  const Instant time = async_->clock().now() + random().upTo(plan_.pause);
  return random().oneIn(2) ? Instant{(time.time_since_epoch() / plan_.rush + 1) * plan_.rush} : time;
}

/// At least half of the calls are for the first one.
Shop& Crowd::anyShop() {
  return random().oneIn(2) ? shops_.front() : random().oneOf(shops_);
}

Task<> Crowd::call() {
  Shop& shop = anyShop();
  switch (random().below(24)) {
    case 0:
      co_return co_await walk(shop, random().oneIn(2));
    case 1:
    case 2:
      co_return co_await createSomething(shop);
    case 3:
      co_return co_await updateIntent(shop);
    case 4:
      co_return co_await updateSubscription(shop);
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
      co_return co_await retrieve(shop);
    default:
      co_return co_await report(shop);
  }
}

RequestOptions Crowd::optionsFor(const Shop& shop, std::uint64_t number) {
  ++calls_;
  RequestOptions options{.apiKey = ApiKey{shop.key}};
  if (number != 0) options.headers = {{stress::callHeader, std::to_string(number)}};
  if (random().oneIn(8)) options.deadline = async_->clock().now() + random().upTo(5s);
  if (random().oneIn(8)) options.stop = stops_.next();
  return options;
}

template <class T>
void Crowd::told(std::uint64_t number, const Result<T>& result, const std::vector<Attempt>& attempts) {
  network_.checker().told(number, saidBy(result), attempts.size(), sender_.name);
}

template <class T>
void Crowd::toldOfRead(const Result<T>& result) {
  network_.history().step(result ? "read" : "read failed", 0, [&] {
    return sender_.name + ' ' + (result ? "reads" : result.error().toString());
  });
  if (!result)
    network_.checker().require(result.error().effect() == Effect::none, "reads have no effect",
                               "a read has one: " + result.error().toString());
}

Task<> Crowd::report(Shop& shop) {
  const Id<PaymentRecord>& id = random().oneOf(shop.records);
  const std::uint64_t number = network_.checker().announce(id.str());
  const test::AnyReport report = anyReport(random(), number);
  const PaymentRecordReport params = report.params();
  std::vector<Attempt> attempts;
  RequestOptions options = optionsFor(shop, number);
  options.attempts = &attempts;
  const Result<PaymentRecord> result = co_await async_->paymentRecords().report(id, params, options);
  told(number, result, attempts);
  if (result) network_.checker().sees(number, result.value());
  if (!result && result.error().mayHaveTakenEffect() && plan_.resolves)
    co_await resolve(shop, id, report, number);
}

Task<> Crowd::resolve(Shop& shop, Id<PaymentRecord> id, test::AnyReport report, std::uint64_t number) {
  const PaymentRecordReport params = report.params();
  const test::ReportKnown known{};
  const RequestOptions options = optionsFor(shop, number);
  auto checking = random().oneIn(3) ? async_->paymentRecords().checkReport(id, params, known, options)
                                    : async_->paymentRecords().resolveReport(id, params, known, options);
  const test::CheckedReport check = co_await std::move(checking);
  network_.history().step("resolved", number,
                          [&] { return "change " + std::to_string(number) + " is resolved"; });
  if (check.has_error()) co_return;
  if (check->status == ReportStatus::applied) network_.checker().told(number, Said::happened, sender_.name);
  if (check->status == ReportStatus::notApplied && !check->error)
    network_.checker().require(
        network_.checker().timesApplied(number) == 0, "success is true",
        "change " + std::to_string(number) + " is reported as not applied, but was applied");
}

Task<> Crowd::retrieve(Shop& shop) {
  const Id<PaymentRecord>& id = random().oneOf(shop.records);
  const std::size_t since = network_.checker().record(id.str()).version();
  const RequestOptions options = optionsFor(shop, 0);
  const Result<PaymentRecord> result = co_await async_->paymentRecords().retrieve(id, options);
  toldOfRead(result);
  if (!result) co_return;
  network_.checker().require(result.value().id == id, "a read shows what is", "another record is read");
  network_.checker().reads(result.value(), since);
}

/// Whatever fails on the way, each record is listed once, newest first: no records are created in the
/// meantime. Stops when the faults end, because each page may have to wait in a long queue.
Task<> Crowd::walk(Shop& shop, bool searches) {
  const auto limit = static_cast<std::int64_t>(1 + random().below(60));
  RequestOptions options = optionsFor(shop, 0);
  options.deadline.reset();
  const PaymentRecordListParams list{.limit = limit};
  const PaymentRecordSearchParams search{.query = "created>0", .limit = limit};
  AsyncPager<PaymentRecord> pager = searches ? async_->paymentRecords().search(search, options)
                                             : async_->paymentRecords().list(list, options);
  std::size_t left = network_.checker().recordsOf(shop.key);
  for (int tries = 0; tries < triesOfWalk && network_.isChaotic() && !network_.history().isOver();) {
    const Result<std::optional<Page<PaymentRecord>>> page = co_await pager.nextPage();
    toldOfRead(page);
    ++calls_;
    if (!page) {
      if (!page.error().isRetryable()) co_return;
      ++tries;
      continue;
    }
    if (!page.value()) {
      network_.checker().require(left == 0, "lists are complete",
                                 std::to_string(left) + " records are not listed");
      co_return;
    }
    for (const PaymentRecord& record : page.value()->data) {
      const std::size_t position = network_.checker().record(record.id.str()).position();
      network_.checker().require(position + 1 == left, "lists are in order",
                                 record.id.str() + " is listed, and is number " + std::to_string(position) +
                                     " instead of " + std::to_string(left - 1));
      left = position;
    }
  }
}

Task<> Crowd::createSomething(Shop& shop) {
  const std::uint64_t number = network_.checker().announce({});
  const MetadataEdit metadata = MetadataEdit{}.set(numberKey, std::to_string(number));
  std::vector<Attempt> attempts;
  RequestOptions options = optionsFor(shop, number);
  options.attempts = &attempts;
  switch (random().below(6)) {
    case 0: {
      const PayoutCreateParams params{.amount = 100, .currency = "eur", .metadata = metadata};
      co_return told(number, co_await async_->payouts().create(params, options), attempts);
    }
    case 1: {
      const FileCreateParams params{.purpose = "evidence", .filename = "file"};
      co_return told(number, co_await async_->files().create(params, options), attempts);
    }
    case 2: {
      const InvoiceCreateParams params{.subscription = random().oneOf(shop.subscriptions),
                                       .metadata = metadata};
      co_return told(number, co_await async_->invoices().create(params, options), attempts);
    }
    case 3: {
      const AccountCreateParams params{.country = "US", .metadata = metadata};
      co_return told(number, co_await async_->accounts().create(params, options), attempts);
    }
    case 4: {
      const IssuingCardCreateParams params{.metadata = metadata};
      co_return told(number, co_await async_->issuingCards().create(params, options), attempts);
    }
    default: {
      const PaymentIntentCreateParams params{.amount = 100, .currency = "eur", .metadata = metadata};
      co_return told(number, co_await async_->paymentIntents().create(params, options), attempts);
    }
  }
}

Task<> Crowd::updateIntent(Shop& shop) {
  const Id<PaymentIntent>& id = random().oneOf(shop.intents);
  const std::uint64_t number = network_.checker().announce(id.str());
  const PaymentIntentUpdateParams params{.metadata = anyMetadata(random(), number)};
  std::vector<Attempt> attempts;
  RequestOptions options = optionsFor(shop, number);
  options.attempts = &attempts;
  const Result<PaymentIntent> result = co_await async_->paymentIntents().update(id, params, options);
  told(number, result, attempts);
}

Task<> Crowd::updateSubscription(Shop& shop) {
  const Id<Subscription>& id = random().oneOf(shop.subscriptions);
  const std::uint64_t number = network_.checker().announce(id.str());
  const SubscriptionUpdateParams params{.quantity = static_cast<std::int64_t>(random().below(100)),
                                        .metadata = anyMetadata(random(), number)};
  std::vector<Attempt> attempts;
  RequestOptions options = optionsFor(shop, number);
  options.attempts = &attempts;
  const Result<Subscription> result = co_await async_->subscriptions().update(id, params, options);
  told(number, result, attempts);
}

}  // namespace tally::simulation
