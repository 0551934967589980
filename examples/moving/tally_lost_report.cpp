// Reports a failed payment with tally, and finds out whether the report was applied if the response is lost.

#include <iostream>
#include <string_view>

#include <tally/tally.h>

int main(int, char** argv) {
  const tally::Client client{
      tally::ClientOptions::fromEnvironment({.baseUrl = argv[1], .maxNetworkRetries = 3})};
  const auto records = client.paymentRecords();
  const tally::PaymentRecordReportFailedParams failed{
      .failedAt = std::chrono::sys_seconds{std::chrono::seconds{1767225600}}};
  const auto before = records.retrieve(argv[2]);
  if (!before) {
    std::cerr << before.error() << '\n';
    return 1;
  }

  const auto reported = records.reportFailed(argv[2], failed);
  std::string_view outcome = reported ? "applied" : "not applied";
  if (!reported && reported.error().mayHaveTakenEffect()) {
    const auto check = records.resolveReport(argv[2], failed, {.before = before.value()});
    const bool applied = check.has_value() && check->status == tally::ReportStatus::applied;
    outcome = applied ? "applied" : "not certain";
  }
  std::cout << outcome << '\n';
  return outcome == "applied" ? 0 : 1;
}
