// Calls of a client overlap, while faults, locks and limits disturb the service. Each call completes once;
// afterwards, what the client was told agrees with what the service did, and the client holds nothing any
// more.
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/pacer.h>
#include <tally/tally.h>

#include "faults.h"
#include "fuzz.h"
#include "stress/claim.h"
#include "stress/ledger.h"
#include "stress/sending.h"

namespace tally::fuzz {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using stress::Said;

constexpr std::size_t mostCalls = 24;
constexpr std::size_t recordCount = 3;

/// One byte selects a wait, so that few bytes make a long one.
milliseconds wait(Choices& choices) {
  constexpr int steps[] = {0, 1, 20, 50, 51, 100, 400, 1'000, 3'000, 31'000};
  return milliseconds{choices.oneOf(steps)};
}

template <class T>
Said saidBy(const Result<T>& result) {
  if (result.has_value()) return Said::happened;
  return result.error().effect() == Effect::none ? Said::didNot : Said::mayHave;
}

Said saidBy(ReportStatus status) {
  if (status == ReportStatus::applied) return Said::happened;
  return status == ReportStatus::notApplied ? Said::didNot : Said::mayHave;
}

PaymentRecordReport reportOf(std::size_t outcome, MetadataEdit metadata) {
  const std::chrono::sys_seconds at{1s};
  if (outcome == 0)
    return PaymentRecordReportCanceledParams{.canceledAt = at, .metadata = std::move(metadata)};
  if (outcome == 1)
    return PaymentRecordReportGuaranteedParams{.guaranteedAt = at, .metadata = std::move(metadata)};
  return PaymentRecordReportFailedParams{.failedAt = at, .metadata = std::move(metadata)};
}

/// One run, in which the input decides everything.
class Run {
 public:
  explicit Run(std::string_view input)
      : choices_(input),
        service_({.duration = wait(choices_), .lockWait = wait(choices_), .requestLog = 10'000}),
        client_(clientOptions()),
        async_(client_, {.maxInFlight = 1 + choices_.below(8), .maxWaiting = choices_.oneIn(8) ? 2U : 100U}) {
    for (std::size_t i = 0; i < recordCount; ++i)
      records_.push_back(service_.insert<PaymentRecord>(key_).id);
  }

  void play() {
    spawn(steps());
    async_.run();
    check();
  }

 private:
  [[nodiscard]] ClientOptions clientOptions() {
    ClientOptions options = service_.clientOptions(key_);
    options.maxNetworkRetries = static_cast<int>(choices_.below(4));
    options.retryRateLimited = choices_.oneIn(2);
    options.mutationQueue = {.enabled = !choices_.oneIn(3), .maxWaiting = choices_.oneIn(3) ? 2U : 100U};
    options.retryBudget.maxTokens = choices_.oneIn(3) ? 2 : 100;
    if (choices_.oneIn(2)) options.timeout = 100ms;
    if (choices_.oneIn(3)) options.pacer = pacer_ = std::make_shared<Pacer>();
    return options;
  }

  [[nodiscard]] RequestOptions requestOptions() {
    RequestOptions options{.headers = {{stress::callHeader, std::to_string(++call_)}}};
    if (choices_.oneIn(6)) options.totalTimeout = 1ms + wait(choices_);
    if (choices_.oneIn(6)) {
      stops_.emplace_back();
      options.stop = stops_.back().get_token();
    }
    return options;
  }

  /// Starts calls and disturbs the service, one step after the other.
  Task<> steps() {
    while (!choices_.isOver() && started_ < mostCalls) {
      const std::size_t step = choices_.below(16);
      if (step < 9) {
        ++started_;
        spawn(call(step, requestOptions()));
      } else if (step < 11) {
        (void)co_await async_.sleepFor(wait(choices_));
      } else {
        disturb(step);
      }
    }
  }

  void disturb(std::size_t step) {
    if (step == 11) {
      hold_ = service_.holds().lockObject(key_, choices_.oneOf(records_).str(), wait(choices_));
    } else if (step == 12) {
      hold_ = service_.holds().takeConcurrency(key_, "payment_records.report_failed",
                                               1 + static_cast<int>(choices_.below(5)));
    } else if (step == 13) {
      constexpr const char* limits[] = {"global_rate", "endpoint_rate", "global_concurrency",
                                        "endpoint_concurrency"};
      service_.limits().set(
          {.limit = choices_.oneOf(limits), .value = 1 + static_cast<int>(choices_.below(9))});
    } else if (step == 14 && !stops_.empty()) {
      choices_.oneOf(stops_).request_stop();
    } else {
      inject();
    }
  }

  void inject() {
    using fake::Fault;
    fake::FaultRule rule = anyFault(choices_);
    const bool hasResponse = rule.fault == Fault::none || rule.fault == Fault::errorAfterProcessing;
    if (hasResponse && choices_.oneIn(3)) rule.headers = {{"Retry-After", std::to_string(choices_.below(4))}};
    if (choices_.oneIn(2)) rule.latency = wait(choices_);
    (void)service_.faults().inject(std::move(rule));
  }

  Task<> call(std::size_t kind, RequestOptions options) {
    ++running_;
    if (kind < 5) {
      co_await report(kind, std::move(options));
    } else if (kind == 5) {
      co_await createIntent(std::move(options));
    } else if (kind == 6) {
      co_await retrieve(std::move(options));
    } else {
      co_await walk(kind == 7, std::move(options));
    }
    --running_;
  }

  [[nodiscard]] MetadataEdit numbered(std::uint64_t number) {
    MetadataEdit edit = choices_.oneIn(8) ? MetadataEdit::unsetAll() : MetadataEdit{};
    return edit.set(stress::numberKey, std::to_string(number));
  }

  Task<> report(std::size_t outcome, RequestOptions options) {
    const std::uint64_t number = ++number_;
    const Id<PaymentRecord> id = choices_.oneOf(records_);
    const PaymentRecordReport report = reportOf(outcome, numbered(number));
    const bool resolves = choices_.oneIn(2);
    std::vector<Attempt> attempts;
    options.attempts = &attempts;
    auto sent = async_.paymentRecords().report(id, report, options);
    const auto result = co_await sent;
    note(callOf(options), result, attempts.size());
    Said said = saidBy(result);
    if (said == Said::mayHave && resolves) said = co_await resolve(id, report);
    claims_.push_back({number, said, "a report on " + id.str()});
  }

  Task<Said> resolve(Id<PaymentRecord> id, PaymentRecordReport report) {
    RequestOptions options{.headers = {{stress::callHeader, std::to_string(++call_)}}};
    auto asked = async_.paymentRecords().resolveReport(id, report, {}, options);
    const auto told = co_await asked;
    if (told.has_error()) {
      require(told.error().effect() == Effect::unknown, "what could not be read may have happened");
      co_return Said::mayHave;
    }
    const auto& known = told.value();
    require((known.noResendReason == NoResendReason::applied) == (known.status == ReportStatus::applied),
            "both words tell whether the report was applied");
    co_return saidBy(known.status);
  }

  Task<> createIntent(RequestOptions options) {
    const std::uint64_t number = ++number_;
    std::vector<Attempt> attempts;
    options.attempts = &attempts;
    const PaymentIntentCreateParams params{.amount = 1, .currency = "eur", .metadata = numbered(number)};
    auto sent = async_.paymentIntents().create(params, options);
    const auto result = co_await sent;
    note(callOf(options), result, attempts.size());
    claims_.push_back({number, saidBy(result), "an intent"});
  }

  Task<> retrieve(RequestOptions options) {
    const Id<PaymentRecord> id = choices_.oneOf(records_);
    auto sent = async_.paymentRecords().retrieve(id, options);
    const auto result = co_await sent;
    if (result) require(result.value().id == id, "the record is the one that was asked for");
    if (!result) require(result.error().effect() == Effect::none, "a read has no effect");
  }

  /// Without an error, each record is returned once.
  Task<> walk(bool searches, RequestOptions options) {
    const std::int64_t limit = 1 + static_cast<std::int64_t>(choices_.below(3));
    const PaymentRecordSearchParams search{.query = "created>0", .limit = limit};
    const PaymentRecordListParams list{.limit = limit};
    auto pager = searches ? async_.paymentRecords().search(search, options)
                          : async_.paymentRecords().list(list, options);
    std::vector<Id<PaymentRecord>> seen;
    while (true) {
      auto next = pager.nextPage();
      const auto page = co_await next;
      if (!page.has_value()) co_return require(page.error().effect() == Effect::none, "a read has no effect");
      if (!page.value()) break;
      for (const PaymentRecord& record : page.value()->data)
        seen.push_back(record.id);
    }
    require(seen == std::vector(records_.rbegin(), records_.rend()),
            "a walk returns each record once, in order");
  }

  static std::uint64_t callOf(const RequestOptions& options) {
    return std::stoull(options.headers.front().value);
  }

  template <class T>
  void note(std::uint64_t call, const Result<T>& result, std::size_t attempts) {
    sendings_.push_back({call, saidBy(result), attempts, "a change"});
    if (!result) require(result.error().attempts().size() == attempts, "an error has its attempts");
  }

  void check() {
    require(running_ == 0, "each call completes");
    require(async_.counts().inFlight + async_.counts().waiting == 0, "no call is left");
    require(client_.mutations().inProgress + client_.mutations().waiting == 0, "no turn is left");
    if (pacer_) require(pacer_->counts().inFlight + pacer_->counts().waiting == 0, "no unit is left");
    const auto log = service_.requests().list();
    const stress::Ledger ledger{log};
    for (const auto& problems : {ledger.disagreements(claims_), ledger.disagreements(sendings_)})
      for (const std::string& problem : problems)
        require(false, problem);
    checkStates(log);
  }

  /// Each record shows the report that the service has applied last.
  void checkStates(const std::vector<fake::LoggedRequest>& log) const {
    std::map<std::string, std::string> last;
    for (const fake::LoggedRequest& request : log) {
      if (!request.processed || request.method != "POST" || request.object.empty()) continue;
      require(last[request.object] != "guaranteed", "a guaranteed record does not change");
      last[request.object] = request.operation.substr(request.operation.rfind('_') + 1);
    }
    for (const auto& [id, state] : last)
      require(service_.objects().stateOf(key_, id) == state, "a record shows its last report");
  }

  Choices choices_;
  fake::Service service_;
  std::string key_ = service_.addAccount().sandboxKey;
  std::shared_ptr<Pacer> pacer_{};
  Client client_;
  AsyncClient async_;
  std::vector<Id<PaymentRecord>> records_{};
  std::deque<std::stop_source> stops_{};
  fake::Hold hold_{};
  std::vector<stress::Claim> claims_{};
  std::vector<stress::Sending> sendings_{};
  std::uint64_t number_ = 0;
  std::uint64_t call_ = 0;
  std::size_t started_ = 0;
  int running_ = 0;
};

}  // namespace

void test(std::string_view input) {
  Run{input}.play();
}

}  // namespace tally::fuzz
