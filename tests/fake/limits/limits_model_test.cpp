#include <map>

#include <tally/fake/service.h>

#include <gtest/gtest.h>

#include "fake/support/limit_usage.h"
#include "fake/support/naive_limits.h"
#include "fake/support/requests.h"
#include "support/random_runs.h"

namespace tally::test {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

/// A service and its model, with the same sequence of requests.
class TwoServices {
 public:
  TwoServices() {
    for (const Limit* limit : limits::all) {
      auto number = limit->sandbox;
      const int what = *rc::gen::inRange(0, 12);
      if (what == 0) number = std::nullopt;
      if (what > 0 && what < 9) number = what - 1;
      if (number != limit->sandbox)
        service.limits().set({.limit = std::string{limit->name}, .value = number});
      numbers_.push_back(number);
    }
    naive_ = NaiveLimits{numbers_};
  }

  void send() { sendThis(anyRequest()); }

  void sendThis(const LimitedRequest& request) {
    const Instant arrived = service.clock()->now();
    const Limit* refused = naive_.refusal(request, arrived);
    const HttpResponse response = service.handle(request.http);
    const fake::LoggedRequest logged = service.requests().list().back();
    RC_ASSERT(logged.limit == (refused == nullptr ? "" : refused->name));
    const std::string* reason = response.header("Service-Rate-Limited-Reason");
    RC_ASSERT((reason == nullptr ? "" : *reason) ==
              (refused == nullptr ? "" : OpenEnum<RateLimitedReason>{refused->reason}.str()));
    RC_ASSERT((response.status == 429) == (refused != nullptr || logged.errorCode == "lock_timeout"));
    const Instant processed = refused == nullptr ? awaitObject(request, arrived, logged.errorCode) : arrived;
    RC_ASSERT(service.clock()->now() == processed);
    if (refused != nullptr) return;
    const bool changed = response.status == 200 && request.http.method == Method::post;
    naive_.admitted(request, arrived, processed + options.duration, changed);
    if (changed && !request.object.empty()) locks_.emplace(request.object, processed + options.duration);
  }

  /// Takes or releases a lock or units.
  void hold() {
    const int what = *rc::gen::inRange(0, 4);
    if (what == 0) {
      const std::string operation =
          *rc::gen::elementOf(std::vector<std::string>{"", "payouts.create", "payouts.list", "files.list"});
      const std::int64_t units = *rc::gen::inRange(1, 4);
      naive_.holdConcurrency(operation, units);
      held_.push_back({service.holds().takeConcurrency(key_, operation, units),
                       [this, operation, units] { naive_.holdConcurrency(operation, -units); }});
    } else if (what == 1) {
      const std::string id = anyRequest().object;
      const bool open = *rc::gen::arbitrary<bool>();
      const Instant end = open ? Instant::max() : service.clock()->now() + milliseconds{70};
      const auto lock = locks_.emplace(id, end);
      held_.push_back(
          {service.holds().lockObject(key_, id, open ? std::optional<nanoseconds>{} : milliseconds{70}),
           [this, lock] { locks_.erase(lock); }});
    } else if (!held_.empty()) {
      held_.back().tell();
      held_.pop_back();
    }
  }

  void compareUsage() {
    RC_ASSERT(NaiveLimits::linesOf(service.usage().list(account_)) == naive_.usage(service.clock()->now()));
  }

  fake::ServiceOptions options{
      .duration = *rc::gen::element<nanoseconds>(nanoseconds{0}, milliseconds{50}, seconds{1}),
      .lockWait = *rc::gen::element<nanoseconds>(nanoseconds{0}, milliseconds{20}, seconds{3}),
      .requestLog = 1};
  fake::Service service{options};

 private:
  struct HeldByTest {
    fake::Hold held{};
    std::function<void()> tell{};
  };

  const LimitedRequest& anyRequest() {
    return requests_[*rc::gen::inRange<std::size_t>(0, requests_.size())];
  }

  /// When a request is processed or gives up.
  Instant awaitObject(const LimitedRequest& request, Instant arrived, const std::string& error) {
    Instant free = arrived;
    const auto [first, last] = locks_.equal_range(request.object);
    if (!request.object.empty() && request.valid)
      for (auto lock = first; lock != last; ++lock)
        free = std::max(free, lock->second);
    const bool givesUp = free > arrived && free > arrived + options.lockWait;
    RC_ASSERT((error == "lock_timeout") == givesUp);
    return givesUp ? arrived + options.lockWait : free;
  }

  fake::Account account_ = service.addAccount();
  std::string key_ = account_.sandboxKey;
  std::vector<LimitedRequest> requests_ = someRequestsLater();
  NaiveLimits::Numbers numbers_{};
  NaiveLimits naive_{{}};
  std::multimap<std::string, Instant> locks_{};
  std::vector<HeldByTest> held_{};

  /// Late enough that requests made while creating them no longer count.
  std::vector<LimitedRequest> someRequestsLater() {
    auto made = someRequests(service, key_);
    service.clock()->advance(hours{48});
    return made;
  }
};

TEST(LimitsModel, MatchesANaiveLimiter) {
  holdsInRuns(1'000, [] {
    TwoServices two;
    const int steps = *rc::gen::inRange(1, 60);
    for (int n = 0; n < steps; ++n) {
      two.service.clock()->advance(anyStep());
      two.send();
      if (n % 8 == 7) two.hold();
      if (n % 4 == 3) two.compareUsage();
    }
    two.compareUsage();
  });
}

}  // namespace

}  // namespace tally::test
