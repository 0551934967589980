// The client's count of the read allocation, compared with the service's.

#include <functional>
#include <string>
#include <vector>

#include <tally/fake/service.h>
#include <tally/limits.h>
#include <tally/tally.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using fake::Fault;

class ReadsWorld {
 public:
  ReadsWorld() {
    for (const char* limit : {"global_rate", "endpoint_rate", "searches"})
      service_.limits().set({.limit = limit});
    service_.connections().connect(platform_, connected_);
    (void)service_.insert<PaymentRecord>(platform_.sandboxKey);  // so that lists have several pages
  }

  void call() {
    const auto records = client_.paymentRecords();
    RequestOptions options;
    const auto account = *rc::gen::elementOf(std::vector<std::string>{"", "", connected_.id, stranger_.id});
    if (*rc::gen::arbitrary<bool>() && !account.empty()) {
      options.headers = {{"Service-Account", account}};
    } else {
      options.connectedAccount = account;
    }
    if (*rc::gen::inRange(0, 6) == 0) options.apiKey = "sk_test_unknown";
    const std::vector<std::function<void()>> calls{
        [&] { (void)records.retrieve(record_, options); },
        [&] { (void)records.retrieve("pr_none", options); },
        [&] { (void)records.list({.limit = 1}, options).collect(3); },
        [&] { (void)records.list({.startingAfter = "pr_none"}, options).collect(1); },
        [&] { (void)records.search({.query = "created>0", .limit = 1}, options).collect(2); },
        [&] { (void)records.search({.query = "?"}, options).collect(1); },
        [&] { (void)client_.dataExports().list({}, options).collect(1); },
        [&] { (void)client_.payouts().list({}, options).collect(1); },
        [&] { (void)records.reportFailed(record_, {.failedAt = std::chrono::sys_seconds{1s}}, options); },
        [&] {
          (void)records.checkReport(record_,
                                    PaymentRecordReportFailedParams{.failedAt = std::chrono::sys_seconds{1s}},
                                    {}, options);
        },
    };
    calls.at (*rc::gen::inRange<std::size_t>(0, calls.size()))();
  }

  /// Injects a fault; with `tellingly`, one after which the client knows what the service counted.
  void disturb(bool tellingly) {
    const std::vector<fake::FaultRule> telling{
        {.fault = Fault::connectionRefused}, {.error = "rate_limit"},       {.error = "lock_timeout"},
        {.fault = Fault::responseLost},      {.fault = Fault::garbledBody}, {.latency = 31s}};
    const std::vector<fake::FaultRule> vague{{.error = "api_error"}, {.fault = Fault::reset}};
    service_.faults().inject(*rc::gen::elementOf(tellingly ? telling : vague));
  }

  void wait() { service_.clock()->advance(*rc::gen::inRange(0, 20) * 24h); }

  [[nodiscard]] std::int64_t counted(const char* limit) const {
    return service_.usage().of(platform_.sandboxKey, limit).used;
  }
  [[nodiscard]] ReadsUsed used() const { return client_.readsUsed(); }

 private:
  fake::Service service_{{.duration = 0s}};
  fake::Account platform_ = service_.addAccount();
  fake::Account connected_ = service_.addAccount();
  fake::Account stranger_ = service_.addAccount();
  Client client_{service_.clientOptions(platform_.sandboxKey)};
  Id<PaymentRecord> record_ = service_.insert<PaymentRecord>(platform_.sandboxKey).id;
};

RC_GTEST_PROP(ReadsUsedDespiteFaults, EqualTheServiceCountIfTheFaultsAreUnambiguous, ()) {
  ReadsWorld world;
  const int steps = *rc::gen::inRange(0, 30);
  for (int i = 0; i < steps; ++i) {
    if (*rc::gen::inRange(0, 4) == 0) world.disturb(true);
    if (*rc::gen::inRange(0, 4) == 0) world.wait();
    world.call();
    RC_ASSERT(world.used().own == world.counted("read_allocation"));
    RC_ASSERT(world.used().onBehalf == world.counted("read_allocation_on_behalf"));
  }
}

RC_GTEST_PROP(ReadsUsedDespiteFaults, AreNeverFewerThanTheReadsThatTheServiceCounts, ()) {
  ReadsWorld world;
  const int steps = *rc::gen::inRange(0, 30);
  for (int i = 0; i < steps; ++i) {
    if (*rc::gen::inRange(0, 2) == 0) world.disturb(*rc::gen::inRange(0, 2) == 0);
    if (*rc::gen::inRange(0, 4) == 0) world.wait();
    world.call();
    RC_ASSERT(world.used().own >= world.counted("read_allocation"));
    RC_ASSERT(world.used().onBehalf >= world.counted("read_allocation_on_behalf"));
  }
}

TEST(ReadsUsed, ReachTheAllocationWhenTheServiceRefusesReads) {
  fake::Service service{{.duration = 0s}};
  for (const char* limit : {"global_rate", "endpoint_rate"})
    service.limits().set({.limit = limit});
  const std::string key = service.addAccount().sandboxKey;
  const Client client{service.clientOptions(key)};
  const std::int64_t allowed = limits::readAllocation.allowed(0);
  while (client.readsUsed().own < allowed)
    ASSERT_FALSE(client.paymentRecords().retrieve("pr_1"));
  EXPECT_EQ(client.paymentRecords().retrieve("pr_1").error().code(), "read_allocation_exceeded");
  EXPECT_EQ(client.readsUsed().own, allowed);
}

}  // namespace
}  // namespace tally::test
