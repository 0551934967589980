// Every fault × every way to call: the same error, events, attempts, counts and requests, and a healthy
// client afterwards. The service is in this process, so times are the same too.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <stop_token>
#include <string>
#include <vector>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/observer.h>
#include <tally/pacer.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/ways.h"

namespace tally::faultTableTest {
namespace {

using namespace std::chrono_literals;
using fake::Fault;
using test::NamedWay;
using test::Outcome;
using test::WayCall;

/// What a case changes before the call.
struct World {
  fake::Service& service;
  const fake::Account& account;
  WayCall& call;
  ClientOptions& options;
  std::vector<fake::Hold>& holds;
  std::stop_source& stop;
};

struct Case {
  std::string name{};
  std::function<void(World&)> arm{};
  bool heals = true;   // without further action
  bool inBulk = true;  // whether reportAll() takes what it changes
};

Case faultOf(Fault fault) {
  std::ostringstream name;
  name << fault;
  return {name.str(), [fault](World& world) { world.service.faults().inject({.fault = fault}); }};
}

Case ruleOf(std::string name, fake::FaultRule rule) {
  return {std::move(name), [rule = std::move(rule)](World& world) { world.service.faults().inject(rule); }};
}

Case limitedBy(const char* reason) {
  return ruleOf(std::string{"rate_limit "} + reason,
                {.error = "rate_limit", .rateLimitedReason = reason, .headers = {{"Retry-After", "2"}}});
}

std::vector<Case> cases() {
  std::vector<Case> all{{"healthy", [](World&) {}}};
  for (const Fault fault : {Fault::connectionRefused, Fault::reset, Fault::responseLost, Fault::truncatedBody,
                            Fault::garbledBody, Fault::errorAfterProcessing, Fault::emptyPage})
    all.push_back(faultOf(fault));
  for (const char* error : {"lock_timeout", "api_error", "read_allocation_exceeded", "resource_missing"})
    all.push_back(ruleOf(error, {.error = error}));
  for (const char* reason : {"global-rate", "endpoint-rate", "global-concurrency", "endpoint-concurrency",
                             "resource-specific", "unheard-of", ""})
    all.push_back(limitedBy(reason));
  for (const int status : {301, 401, 403, 408, 418, 500, 503})
    all.push_back(ruleOf("status " + std::to_string(status),
                         {.response = HttpResponse{.status = status, .headers = {}, .body = "?"}}));
  all.push_back(
      ruleOf("processed, then 503", {.fault = Fault::errorAfterProcessing,
                                     .response = HttpResponse{.status = 503, .headers = {}, .body = ""}}));
  all.push_back(ruleOf("late response", {.latency = 40s}));
  all.push_back(ruleOf("four faults", {.times = 4, .fault = Fault::connectionRefused}));
  all.push_back({"response lost, and late", [](World& world) {
                   world.service.faults().inject({.fault = Fault::responseLost, .latency = 2s});
                 }});
  all.push_back({"locked for 4 s", [](World& world) {
                   world.holds.push_back(
                       world.service.holds().lockObject(world.account.sandboxKey, world.call.object, 4s));
                 }});
  all.push_back({"locked beyond the timeout", [](World& world) {
                   world.options.timeout = 1s;
                   world.holds.push_back(
                       world.service.holds().lockObject(world.account.sandboxKey, world.call.object, 5s));
                 }});
  all.push_back({"no concurrency left",
                 [](World& world) {
                   world.holds.push_back(
                       world.service.holds().takeConcurrency(world.account.sandboxKey, "", 1'000));
                 },
                 false});
  all.push_back({"global rate used up",
                 [](World& world) { world.service.limits().set({.limit = "global_rate", .value = 0}); },
                 false});
  all.push_back({"a deadline within the backoff",
                 [](World& world) {
                   world.call.options.totalTimeout = 300ms;
                   world.service.faults().inject({.times = 3, .error = "lock_timeout"});
                 },
                 true, false});
  all.push_back({"a deadline within the response",
                 [](World& world) { world.call.options.totalTimeout = 20ms; }, true, false});
  all.push_back({"a deadline in the past",
                 [](World& world) { world.call.options.deadline = world.service.clock()->now() - 1s; }, true,
                 false});
  all.push_back({"stopped before", [](World& world) { world.stop.request_stop(); }});
  all.push_back({"an invalid identifier", [](World& world) { world.call.object = ""; }});
  all.push_back({"an unknown identifier", [](World& world) { world.call.object = "pr_unknown"; }});
  all.push_back({"an invalid option", [](World& world) { world.call.options.timeout = 0ms; }});
  all.push_back({"an unknown key", [](World& world) { world.call.options.apiKey = "sk_test_unknown"; }});
  return all;
}

/// How calls are made in all cases.
struct Mode {
  const char* name;
  int retries;
  bool retryRateLimited;
  bool paced;
  bool budgetIsEmpty;
};

constexpr Mode modes[] = {{"no retries", 0, false, false, false},
                          {"retries", 3, false, false, false},
                          {"all retries", 3, true, false, false},
                          {"pacer", 3, true, true, false},
                          {"no retry budget", 3, false, false, true}};

class Lines final : public Observer {
 public:
  explicit Lines(std::ostream& out) : out_(out) {}
  void on(const Event& event) noexcept override {
    out_ << event;
    if (event.error != nullptr) out_ << " because " << event.error->toString();
    out_ << '\n';
  }

 private:
  std::ostream& out_;
};

/// What programs decide by.
std::string factsOf(const Outcome& outcome) {
  if (!outcome) return "success";
  std::ostringstream out;
  out << outcome->kind() << ", " << outcome->effect() << ", " << outcome->attemptCount();
  return out.str();
}

void tell(std::ostream& out, const Outcome& outcome) {
  if (!outcome) {
    out << "success\n";
    return;
  }
  out << outcome->toString() << " [" << factsOf(outcome) << "]\n";
  for (const Attempt& attempt : outcome->attempts())
    out << "  " << attempt << '\n';
}

/// Everything that can be observed of a case.
struct Course {
  std::string text{};
  Outcome outcome{};
  bool healed = false;
  std::size_t processed = 0;  // requests of the call
  std::optional<ReportEnd> end{};
};

struct Trial {
  const Case& tried;
  const Mode& mode;
  std::string_view operation;
};

Course courseOf(const Trial& trial, const NamedWay& way) {
  std::ostringstream out;
  fake::Service service{{.seed = 7}};
  const fake::Account account = service.addAccount();
  const auto callOnNew = [&] {
    const auto record = service.insert<PaymentRecord>(account.sandboxKey);
    return WayCall{trial.operation, record.id.str(), {}, record.latestPaymentAttemptRecord.str()};
  };
  ClientOptions options = service.clientOptions(account.sandboxKey);
  options.maxNetworkRetries = trial.mode.retries;
  options.retryRateLimited = trial.mode.retryRateLimited;
  if (trial.mode.budgetIsEmpty) options.retryBudget = {.maxTokens = 0, .tokensPerSuccess = 0};
  const auto pacer = std::make_shared<Pacer>(
      PacerOptions{.limits = {{.limit = "global_rate", .value = 2}, {.limit = "endpoint_rate", .value = 2}}});
  if (trial.mode.paced) options.pacer = pacer;
  options.observer = std::make_shared<Lines>(out);

  std::vector<fake::Hold> holds;
  std::stop_source stop;
  std::vector<Attempt> attempts;
  WayCall call = callOnNew();
  call.options.stop = stop.get_token();
  call.options.attempts = &attempts;
  const ClientOptions healthyOptions = options;
  World world{service, account, call, options, holds, stop};
  trial.tried.arm(world);

  Course course;
  const auto maker = way.of(options);
  course.outcome = maker->make(call);
  course.end = maker->end();
  tell(out, course.outcome);
  for (const Attempt& attempt : attempts)
    out << "attempt " << attempt << '\n';
  for (const auto& request : service.requests().list())
    course.processed += request.processed && request.operation == trial.operation ? 1 : 0;

  for (const auto& rule : service.faults().pending())
    for (int i = 0; i < rule.times; ++i)
      (void)service.handle({.method = Method::get,
                            .url = "/v1/payment_records",
                            .headers = {{"Authorization", "Bearer " + account.sandboxKey}}});
  if (!trial.tried.heals) {
    holds.clear();
    service.limits().set({.limit = "global_rate", .value = 1'000});
  }
  const auto same = maker->make(callOnNew());
  tell(out, same);
  const auto onlyOther = way.of(healthyOptions)->make(callOnNew());
  tell(out, onlyOther);
  course.healed = !same && !onlyOther;

  out << "reads " << maker->readsUsed() << '\n';
  for (const auto& usage : pacer->usage(account.sandboxKey, service.clock()->now()))
    out << usage << '\n';
  out << "pacer " << pacer->counts().waiting << ' ' << pacer->counts().inFlight << '\n';
  for (const auto& request : service.requests().list())
    out << request << '\n';
  out << "at " << service.clock()->now().time_since_epoch().count();
  course.text = out.str();
  return course;
}

bool changes(std::string_view operation) {
  return operation == "payment_records.report_failed" || operation == "payment_intents.create";
}

class FaultTable : public testing::TestWithParam<Mode> {};

TEST_P(FaultTable, HoldsForEveryWayToMakeACall) {
  for (const Case& tried : cases())
    for (const char* operation :
         {"payment_records.retrieve", "payment_records.list", "payment_records.search",
          "payment_records.report_failed", "payment_intents.create"}) {
      const Trial trial{tried, GetParam(), operation};
      const Course expected = courseOf(trial, test::ways[0]);
      for (const NamedWay& way : test::ways) {
        SCOPED_TRACE(tried.name + ", " + operation + ", " + std::string{way.name});
        const Course course = courseOf(trial, way);
        EXPECT_EQ(course.text, expected.text);
        EXPECT_TRUE(course.healed) << course.text;
        if (!changes(operation)) continue;
        if (!course.outcome) {
          EXPECT_EQ(course.processed, 1U) << course.text;
        } else if (course.outcome->effect() == Effect::none) {
          EXPECT_EQ(course.processed, 0U) << course.text;
        }
      }
    }
}

/// Whether a report ends as done once the service is well again.
bool canBeDone(const Outcome& first, bool heals) {
  if (!first) return true;
  return heals && (first->isRetryable() || first->effect() == Effect::unknown);
}

/// reportAll() continues after the call that the other ways make: it sends again what had no effect, and
/// resolves what was lost. So its first call is compared, and how the report ends with what the service did.
/// Messages about parameters differ, since a Report is checked by itself. Deadlines do not apply: reportAll()
/// has its retry timeout in their place.
TEST_P(FaultTable, HoldsForBulkReports) {
  for (const Case& tried : cases()) {
    if (!tried.inBulk) continue;
    const Trial trial{tried, GetParam(), "payment_records.report_failed"};
    const Course single = courseOf(trial, test::ways[0]);
    const Course bulk = courseOf(trial, test::bulkWay);
    SCOPED_TRACE(tried.name + '\n' + bulk.text);
    EXPECT_TRUE(bulk.healed);
    EXPECT_EQ(bulk.processed, bulk.end == ReportEnd::applied ? 1U : 0U);
    EXPECT_EQ(bulk.end == ReportEnd::applied, canBeDone(single.outcome, tried.heals));
    // A job that was stopped before reads no report.
    EXPECT_EQ(bulk.end ? factsOf(bulk.outcome) : "canceled, none, 0", factsOf(single.outcome));
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, FaultTable, testing::ValuesIn(modes), [](const auto& info) {
  std::string name = info.param.name;
  std::erase(name, ' ');
  return name;
});

}  // namespace
}  // namespace tally::faultTableTest
