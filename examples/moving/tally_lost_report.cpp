// Reports a failed payment with tally, until it is certain whether the report was applied.

#include <iostream>

#include <tally/tally.h>

int main(int, char** argv) {
  const tally::Client client{
      tally::ClientOptions::fromEnvironment({.baseUrl = argv[1], .maxNetworkRetries = 3})};
  const auto records = client.paymentRecords();
  const tally::PaymentRecordReportFailedParams failed{
      .failedAt = std::chrono::sys_seconds{std::chrono::seconds{1767225600}}};
  const auto before = records.retrieve(argv[2]);
  if (!before) return 1;

  const auto reported = records.reportFailed(argv[2], failed);
  bool applied = reported.has_value();
  if (!reported && reported.error().mayHaveTakenEffect()) {
    const auto check = records.resolveReport(argv[2], failed, {.before = before.value()});
    applied = check.has_value() && check->status == tally::ReportStatus::applied;
  }
  std::cout << (applied ? "applied\n" : "not applied\n");
  return applied ? 0 : 1;
}
