// The client's pacer compared with the counters of the service: the service never refuses a request that the
// pacer admits, and would have refused each held request until the instant at which the pacer admits it.

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "fake/support/gadget_limits.h"
#include "limits/limit_counters.h"
#include "pacing/paced_call.h"
#include "support/random_runs.h"

namespace tally::test {

namespace {

using fake::detail::Applicant;
using fake::detail::LimitCounters;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using tally::detail::AnyOperation;
using tally::detail::LimitNumbers;
using tally::detail::LimitPlan;
using tally::detail::PacedCall;
using tally::detail::Pacing;

/// A clock on which waits take no time.
class LeapingClock final : public Clock {
 public:
  explicit LeapingClock(Instant start) : now_(start) {}

  [[nodiscard]] Instant now() const override { return now_; }
  bool sleepUntil(Instant time, std::stop_token) override {
    now_ = std::max(now_, time);
    return true;
  }
  bool waitUntil(Instant, std::stop_token) override {
    RC_FAIL("nothing is in flight that it could wait for");
    return false;
  }

 private:
  Instant now_;
};

const AnyOperation& anyOperation() {
  return *gadgets.operations[*rc::gen::inRange<std::size_t>(0, gadgets.operations.size())];
}

/// An operation with limits of its own.
const AnyOperation& anyWithLimits() {
  return operationOf(*rc::gen::element<std::string>("gadgets.create", "gadgets.start", "gadgets.stop",
                                                    "gadgets.tune", "gadgets.update"));
}

/// A request of one of two platforms, for itself or for one of two accounts connected to both, or of such an
/// account.
struct AnyRequest {
  /// Most requests are for one operation, so that its limits are reached.
  explicit AnyRequest(const AnyOperation& often)
      : operation(*rc::gen::weightedElement<bool>({{4, true}, {1, false}}) ? often : anyOperation()) {}

  const AnyOperation& operation;
  std::string key = *rc::gen::element<std::string>("sk_test_1", "sk_test_2");
  std::string connected = *rc::gen::element<std::string>("", "acct_1", "acct_2");
  bool byItself = !connected.empty() && !isForAccounts() && *rc::gen::arbitrary<bool>();
  std::string id = anyId();
  GadgetParams params = anyParams();

  /// Whose key it has.
  [[nodiscard]] const std::string& maker() const { return byItself ? connected : key; }
  [[nodiscard]] const std::string& actedFor() const { return connected.empty() ? key : connected; }

  [[nodiscard]] HttpRequest http() const {
    return {.headers = {{"Authorization", "Bearer " + (byItself ? "sk_test_of_" + connected : key)},
                        {"Service-Account", byItself ? "" : connected}}};
  }

  /// Lists and searches have other parameters, which no limit depends on.
  [[nodiscard]] tally::detail::ConstObjectRef given() const {
    if (operation.params != &tally::detail::Schema<GadgetParams>::value) return {};
    return refTo(params);
  }

 private:
  /// The pacer does not know that an account's own key counts with the platforms that name the account. For
  /// limits on each object, it need not.
  [[nodiscard]] bool isForAccounts() const { return operation.name == "gadgets.tune"; }

  [[nodiscard]] std::string anyId() const {
    return *rc::gen::element<std::string>("gad_1", "gad_2") + " of " + actedFor();
  }
  [[nodiscard]] GadgetParams anyParams() const {
    GadgetParams any;
    if (*rc::gen::arbitrary<bool>()) any.size = 3;
    if (*rc::gen::arbitrary<bool>()) any.parent = anyId();
    return any;
  }
};

/// Accounts at the service, and the pacer of their clients.
struct BothSides {
  BothSides() {
    for (const Limit* limit : madeLimits) {
      const int what = *rc::gen::inRange(0, 12);
      if (what > 8) continue;  // keeps the documented number
      LimitOverride setting{.limit = std::string{limit->name}};
      if (what > 0) setting.value = what;
      apply(plan, setting, false, numbers);
      options.limits.push_back(std::move(setting));
    }
    options.windowMargin = milliseconds{0};  // for exact comparison
    pacing = std::make_unique<Pacing>(plan, options);
  }

  [[nodiscard]] std::unique_ptr<PacedCall> call(const AnyRequest& any) const {
    return std::make_unique<PacedCall>(*pacing, any.operation,
                                       pacing->request(any.operation, any.id, any.given()), any.http());
  }
  /// The counters that a request uses: those of the account of its key, and some of the account that it acts
  /// for.
  [[nodiscard]] std::array<std::pair<LimitCounters&, Applicant>, 2> shares(const AnyRequest& any,
                                                                           Instant now) {
    const Applicant maker{.operation = any.operation, .id = any.id, .params = any.given(), .now = now};
    Applicant actedFor = maker;
    actedFor.countsForConnectedAccount = true;
    return {{{countersOf(any.maker()), maker}, {countersOf(any.actedFor()), actedFor}}};
  }
  [[nodiscard]] bool refuses(const AnyRequest& any, Instant now) {
    return std::ranges::any_of(shares(any, now), [&](const auto& share) {
      return share.first.refusal(plan, numbers, share.second).has_value();
    });
  }
  void admit(const AnyRequest& any, Instant now) {
    RC_ASSERT(!refuses(any, now));
    for (const auto& [counted, applicant] : shares(any, now))
      counted.admit(plan, applicant);
  }
  void finish(const AnyRequest& any, Instant arrived, bool changed, Instant end) {
    for (const auto& [counted, applicant] : shares(any, arrived))
      counted.finish(plan, applicant, changed, end);
  }
  [[nodiscard]] LimitCounters& countersOf(const std::string& account) { return counters[account]; }

  LimitPlan plan{gadgets.operations, madeLimits};
  LimitNumbers numbers = documentedNumbers(plan, false);
  std::map<std::string, LimitCounters> counters{};
  PacerOptions options{};
  std::unique_ptr<Pacing> pacing;
};

TEST(PacingModel, AdmitsAsEarlyAsTheService) {
  holdsInRuns(500, [] {
    BothSides both;
    LeapingClock clock{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
    const AnyOperation& often = anyWithLimits();
    const int steps = *rc::gen::inRange(1, 80);
    for (int n = 0; n < steps; ++n) {
      clock.sleepUntil(clock.now() + anyStep(), {});
      const AnyRequest any{often};
      const auto call = both.call(any);
      const bool refused = both.refuses(any, clock.now());
      const auto verdict = call->ask(clock.now(), Instant::max());
      RC_ASSERT((verdict == PacedCall::Verdict::wait) == refused);
      if (refused) {
        RC_ASSERT(call->await(clock, Instant::max(), {}) == PacedCall::Verdict::go);
        RC_ASSERT(both.refuses(any, clock.now() - nanoseconds{1}));
      }
      const bool changed = *rc::gen::arbitrary<bool>();
      both.admit(any, clock.now());
      both.finish(any, clock.now(), changed, clock.now());
      call->sending(clock.now());
      call->responded(clock.now(), {.responded = true, .changed = changed});
    }
  });
}

/// Requests and responses that take time to arrive. The first for each operation takes the minimum, which the
/// pacer learns from it.
class Overlapping {
 public:
  void begin() {
    auto sent = std::make_shared<Sent>(AnyRequest{often_});
    sent->call = both_.call(sent->any);
    if (sent->call->ask(now_, Instant::max()) != PacedCall::Verdict::go) return;
    sent->call->sending(now_);
    if (first_.insert(&sent->any.operation).second) {
      sent->lost = false;
    } else {
      sent->wayThere += anyDelay();
      sent->wayBack += anyDelay();
    }
    const Instant arrival = now_ + least_ + sent->wayThere;
    events_.emplace(arrival, [this, sent, arrival] { arrive(sent, arrival); });
  }

  void pass(nanoseconds duration) {
    const Instant until = now_ + duration;
    while (!events_.empty() && events_.begin()->first <= until) {
      now_ = events_.begin()->first;
      const auto event = events_.begin()->second;
      events_.erase(events_.begin());
      event();
    }
    now_ = until;
  }

 private:
  struct Sent {
    explicit Sent(AnyRequest request) : any(std::move(request)) {}

    AnyRequest any;
    std::unique_ptr<PacedCall> call{};
    bool changed = *rc::gen::arbitrary<bool>();
    nanoseconds wayThere{0};
    nanoseconds wayBack{0};
    bool lost = *rc::gen::weightedElement<bool>({{9, false}, {1, true}});
  };

  static nanoseconds anyDelay() {
    return *rc::gen::weightedElement<nanoseconds>(
        {{6, nanoseconds{0}}, {2, milliseconds{30}}, {1, milliseconds{400}}, {1, seconds{3}}});
  }

  void arrive(const std::shared_ptr<Sent>& sent, Instant arrival) {
    both_.admit(sent->any, arrival);
    const Instant end = arrival + least_;
    both_.finish(sent->any, arrival, sent->changed, end);
    events_.emplace(end + least_ + sent->wayBack, [this, sent] { respond(*sent); });
  }

  void respond(Sent& sent) const {
    if (sent.lost) {
      sent.call->responded(now_, {});
    } else {
      sent.call->responded(now_, {.responded = true, .changed = sent.changed});
    }
  }

  BothSides both_{};
  const AnyOperation& often_ = anyWithLimits();
  Instant now_ = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
  nanoseconds least_ = *rc::gen::element<nanoseconds>(nanoseconds{0}, milliseconds{20}, milliseconds{300});
  std::set<const AnyOperation*> first_{};
  std::multimap<Instant, std::function<void()>> events_{};
};

TEST(PacingModel, PreventsRefusalsDespiteVaryingDelays) {
  holdsInRuns(500, [] {
    Overlapping run;
    const int steps = *rc::gen::inRange(1, 100);  // within a minute
    for (int n = 0; n < steps; ++n) {
      run.begin();
      run.pass(*rc::gen::weightedElement<nanoseconds>(
          {{6, nanoseconds{0}}, {4, milliseconds{40}}, {4, milliseconds{500}}, {1, milliseconds{600}}}));
    }
    run.pass(seconds{100});
  });
}

}  // namespace

}  // namespace tally::test
