#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/observer.h>
#include <tally/report_all.h>
#include <tally/tally.h>

namespace tally::test {

/// A call to make, in each way.
struct WayCall {
  std::string_view operation{};
  std::string object{};
  RequestOptions options{};
  std::string attempt{};  // of the object, for reports in bulk
};

/// The error of a call; null on success.
using Outcome = std::optional<Error>;

template <class T>
Outcome outcomeOf(const Result<T>& result) {
  return result ? std::nullopt : Outcome{result.error()};
}

/// Of a complete iteration.
template <class T>
Outcome outcomeOf(Pager<T> pager) {
  for (const auto& object : pager)
    if (!object) return object.error();
  return std::nullopt;
}

inline constexpr std::chrono::sys_seconds wayFailedAt{std::chrono::seconds{1'750'000'000}};
inline constexpr const char* wayQuery = "created>0";

/// Makes calls in one way, one at a time, and returns their outcomes.
class Way {
 public:
  Way() = default;
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  virtual ~Way() = default;
  [[nodiscard]] virtual Outcome make(const WayCall& call) = 0;
  [[nodiscard]] virtual ReadsUsed readsUsed() const = 0;
  /// How the report of the last call ended, in bulk; otherwise, or if it was not read, null.
  [[nodiscard]] virtual std::optional<ReportEnd> end() const { return std::nullopt; }
};

class Blocking final : public Way {
 public:
  explicit Blocking(const ClientOptions& options) : client_(options) {}

  Outcome make(const WayCall& call) override {
    const auto records = client_.paymentRecords();
    if (call.operation == "payment_records.retrieve")
      return outcomeOf(records.retrieve(call.object, call.options));
    if (call.operation == "payment_records.list") return outcomeOf(records.list({}, call.options));
    if (call.operation == "payment_records.search")
      return outcomeOf(records.search({.query = wayQuery}, call.options));
    if (call.operation == "payment_records.report_failed")
      return outcomeOf(records.reportFailed(call.object, {.failedAt = wayFailedAt}, call.options));
    return outcomeOf(client_.paymentIntents().create({.amount = 1, .currency = "usd"}, call.options));
  }
  ReadsUsed readsUsed() const override { return client_.readsUsed(); }

 private:
  Client client_;
};

/// Makes asynchronous calls; the derived class starts and awaits them.
template <class Start>
class Asynchronous final : public Way {
 public:
  explicit Asynchronous(const ClientOptions& options) : client_(options), async_(client_) {}

  Outcome make(const WayCall& call) override {
    const RequestOptions& options = call.options;
    const auto records = async_.paymentRecords();
    if (call.operation == "payment_records.retrieve")
      return Start::outcome(async_, records.retrieve(call.object, options));
    if (call.operation == "payment_records.list") return iterate(records.list({}, options));
    if (call.operation == "payment_records.search")
      return iterate(records.search({.query = wayQuery}, options));
    if (call.operation == "payment_records.report_failed")
      return Start::outcome(async_, records.reportFailed(call.object, {.failedAt = wayFailedAt}, options));
    return Start::outcome(async_, async_.paymentIntents().create({.amount = 1, .currency = "usd"}, options));
  }
  ReadsUsed readsUsed() const override { return client_.readsUsed(); }

 private:
  Outcome iterate(AsyncPager<PaymentRecord> pager) {
    return Start::outcome(async_, pager.forEach([](const PaymentRecord&) { return true; }));
  }

  Client client_;
  AsyncClient async_;
};

struct ByCallback {
  template <class T>
  static Outcome outcome(AsyncClient& async, Call<T> call) {
    std::promise<Outcome> promise;
    call.then([&](const Result<T>& result) { promise.set_value(outcomeOf(result)); });
    async.run();
    return promise.get_future().get();
  }
};

struct ByFuture {
  template <class T>
  static Outcome outcome(AsyncClient& async, Call<T> call) {
    auto result = call.future();
    async.run();
    return outcomeOf(result.get());
  }
};

template <class T>
Task<> awaitOutcome(Call<T> call, std::promise<Outcome>& promise) {
  const Result<T> result = co_await call;
  promise.set_value(outcomeOf(result));
}

struct ByCoroutine {
  template <class T>
  static Outcome outcome(AsyncClient& async, Call<T> call) {
    std::promise<Outcome> promise;
    spawn(awaitOutcome(std::move(call), promise));
    async.run();
    return promise.get_future().get();
  }
};

/// Keeps how the first report ended.
class FirstReport final : public Observer {
 public:
  void on(const Event& event) noexcept override {
    if (event.kind != EventKind::callEnded || event.operation != "payment_records.report_failed" || ended)
      return;
    ended = true;
    if (event.error != nullptr) error = *event.error;
  }
  bool ended = false;
  Outcome error{};
};

/// Reports one row with reportAll(), which continues after the call that the other ways make.
class InBulk final : public Way {
 public:
  explicit InBulk(ClientOptions options) : client_(observed(std::move(options))) {}

  /// How the first request of the report ended, or, if there was none, the report.
  Outcome make(const WayCall& call) override {
    first_->ended = false;
    first_->error.reset();
    end_.reset();
    Outcome outcome;
    const std::vector<Report> reports{
        {.id = call.object, .outcome = "failed", .time = wayFailedAt, .attempt = call.attempt}};
    (void)reportAll(client_, reports, {.request = call.options, .stop = call.options.stop},
                    [&](const ReportResult& result) {
                      end_ = result.end;
                      if (result.error != nullptr) outcome = *result.error;
                    });
    return first_->ended ? first_->error : outcome;
  }
  ReadsUsed readsUsed() const override { return client_.readsUsed(); }
  std::optional<ReportEnd> end() const override { return end_; }

 private:
  ClientOptions observed(ClientOptions options) const {
    options.observer = combineObservers({std::move(options.observer), first_});
    return options;
  }

  std::shared_ptr<FirstReport> first_ = std::make_shared<FirstReport>();
  Client client_;
  std::optional<ReportEnd> end_{};
};

/// A way to make calls, by name.
struct NamedWay {
  std::string_view name{};
  std::unique_ptr<Way> (*of)(const ClientOptions& options) = nullptr;
};

template <class W>
std::unique_ptr<Way> makeWay(const ClientOptions& options) {
  return std::make_unique<W>(options);
}

/// The first one is the measure of the others. All have to end in the same error, after the same events.
inline constexpr NamedWay ways[] = {
    {"blocking", makeWay<Blocking>},
    {"callback", makeWay<Asynchronous<ByCallback>>},
    {"future", makeWay<Asynchronous<ByFuture>>},
    {"coroutine", makeWay<Asynchronous<ByCoroutine>>},
};

/// Only for reports, and another measure: it also resolves and sends again.
inline constexpr NamedWay bulkWay{"bulk", makeWay<InBulk>};

}  // namespace tally::test
