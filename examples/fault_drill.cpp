// A fault drill: every fault against your own payment code. What your code reports must agree with what the
// service did.

#include <iomanip>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/service.h>
#include <tally/tally.h>

namespace {

using tally::fake::Fault;

const tally::PaymentRecordReportFailedParams failed{
    .failedAt = std::chrono::sys_seconds{std::chrono::seconds{1767225600}}};

/// The code under test. Put yours here.
std::string reportFailure(const tally::PaymentRecords& payments, const tally::PaymentRecord& payment) {
  const auto reported = payments.reportFailed(payment.id, failed, {.maxNetworkRetries = 2});
  if (reported) return "failed";
  if (!reported.error().mayHaveTakenEffect()) return "unreported";
  const auto check =
      payments.resolveReport(payment.id, failed, {.attempt = payment.latestPaymentAttemptRecord});
  return check.has_value() && check->status == tally::ReportStatus::applied ? "failed" : "unclear";
}

struct Drill {
  std::string_view name;
  tally::fake::FaultRule fault;
};

std::vector<Drill> drills() {
  return {{"none", {.operation = "payment_records.retrieve"}},
          {"connection refused", {.fault = Fault::connectionRefused}},
          {"reset", {.fault = Fault::reset}},
          {"response lost", {.fault = Fault::responseLost}},
          {"truncated body", {.fault = Fault::truncatedBody}},
          {"garbled body", {.fault = Fault::garbledBody}},
          {"500 after processing", {.fault = Fault::errorAfterProcessing}},
          {"500", {.error = "api_error"}},
          {"lock timeout, twice", {.times = 2, .error = "lock_timeout"}},
          {"lock timeout, always", {.times = tally::fake::FaultRule::unlimited, .error = "lock_timeout"}},
          {"slow", {.latency = std::chrono::minutes{5}}},
          {"down", {.times = tally::fake::FaultRule::unlimited, .fault = Fault::connectionRefused}}};
}

/// Each drill has its own service. Returns whether the code determines what the service did.
bool run(const Drill& drill) {
  tally::fake::Service fake;
  const std::string key = fake.addAccount().sandboxKey;
  const auto payment = fake.insert<tally::PaymentRecord>(key);
  fake.faults().inject(drill.fault);
  const std::string believed =
      reportFailure(tally::Client{fake.clientOptions(key)}.paymentRecords(), payment);
  const std::string actual = fake.objects().stateOf(key, payment.id.str()).value();
  const bool right = believed == actual;
  std::cout << std::left << std::setw(22) << drill.name << std::setw(12) << believed << std::setw(12)
            << actual << std::setw(10) << fake.requests().size() << (right ? "ok" : "WRONG") << '\n';
  return right;
}

}  // namespace

int main() {
  std::cout << "fault                 the code    the service requests  verdict\n";
  bool allRight = true;
  for (const Drill& drill : drills())
    allRight = run(drill) && allRight;
  return allRight ? 0 : 1;
}
