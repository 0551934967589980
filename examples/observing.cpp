// Logs calls, counts them for a metrics scraper, passes on a trace context, and prints attempts.

#include <iostream>
#include <sstream>

#include <tally/fake/service.h>
#include <tally/log_observer.h>
#include <tally/metrics_observer.h>
#include <tally/tally.h>

namespace {

/// Prints what a scraper receives, without the histogram buckets.
void printWithoutBuckets(const tally::MetricsObserver& counters) {
  std::istringstream lines{counters.prometheusText()};
  for (std::string line; std::getline(lines, line);)
    if (line.find("_bucket") == std::string::npos) std::cout << line << '\n';
}

}  // namespace

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto payment = service.insert<tally::PaymentRecord>(key);
  const auto counters = std::make_shared<tally::MetricsObserver>();
  tally::ClientOptions options = service.clientOptions(key);
  options.maxNetworkRetries = 2;
  options.observer = tally::combineObservers({tally::logObserver(std::cout), counters});
  const tally::Client client{options};

  std::cout << "The log:\n";
  service.faults().inject({.error = "lock_timeout"});
  std::vector<tally::Attempt> made;
  const tally::RequestOptions traced{
      .headers = {{"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"},
                  {"tracestate", "shop=1"}},
      .attempts = &made};
  const std::chrono::sys_seconds failedAt{std::chrono::seconds{1767225600}};
  if (!client.paymentRecords().reportFailed(payment.id, {.failedAt = failedAt}, traced)) return 1;
  const auto nobody = client.paymentRecords().retrieve("pr_nobody");

  std::cout << "\nThe attempts of the report, from its options, and of the other call, from its error:\n";
  for (const auto& attempts : {made, nobody.error().attempts()})
    for (const tally::Attempt& attempt : attempts)
      std::cout << attempt << '\n';

  std::cout << "\nThe counters:\n";
  printWithoutBuckets(*counters);
}
