// The outbox over loopback, measured by the benchmark. The key is in the environment variable TALLY_API_KEY.
//
//   run DATABASE URL ROWS     enqueues ROWS reports in arrays of 1,000, then works until all are decided.
//   Prints the seconds of
//                             both.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/outbox.h>
#include <tally/tally.h>

#include "bench/support/measure.h"

namespace {

using namespace tally;

constexpr std::chrono::sys_seconds when{std::chrono::seconds{1767225600}};
constexpr std::uint64_t arraySize = 1'000;

std::vector<PaymentRecord> recordsOf(const Client& client) {
  std::vector<PaymentRecord> records;
  for (auto& record : client.paymentRecords().list({.limit = 100}))
    records.push_back(std::move(record).value());
  return records;
}

OutboxReport reportOn(const PaymentRecord& record, std::uint64_t row) {
  return {.report = {.id = record.id.str(),
                     .outcome = row % 2 == 0 ? "canceled" : "failed",
                     .time = when,
                     .metadata = {{"row", std::to_string(row)}},
                     .attempt = record.latestPaymentAttemptRecord.str()},
          .key = std::to_string(row)};
}

void enqueue(Outbox& outbox, const std::vector<PaymentRecord>& records, std::uint64_t rows) {
  for (std::uint64_t row = 0; row < rows;) {
    std::vector<OutboxReport> reports;
    for (; row < rows && reports.size() < arraySize; ++row)
      reports.push_back(reportOn(records[row % records.size()], row));
    if (!outbox.enqueueAll("shop", reports)) throw std::runtime_error{"a report was refused"};
  }
}

/// The service has no limits.
PacerOptions withoutLimits() {
  PacerOptions pacing;
  for (const char* const limit :
       {"global_rate", "global_concurrency", "endpoint_rate", "endpoint_concurrency"})
    pacing.limits.push_back({.limit = limit});
  return pacing;
}

void work(const std::string& database, const ClientOptions& client, std::uint64_t rows) {
  StopSource stop;
  std::uint64_t applied = 0;
  OutboxOptions options;
  options.allowLossOnPowerFailure = true;
  options.domains = {{.name = "shop", .client = client, .pacing = withoutLimits()}};
  options.onEvent = [&](const OutboxEvent& event) {
    if (event.kind == OutboxEvent::Kind::trouble || event.kind == OutboxEvent::Kind::reportRefused)
      std::cerr << event << '\n';
    if (event.kind == OutboxEvent::Kind::reportApplied && ++applied == rows) stop.request_stop();
  };
  Outbox{database, options}.run(stop.get_token());
}

}  // namespace

int main(int argc, char** argv) {
  const char* const key = std::getenv("TALLY_API_KEY");
  if (argc != 5 || key == nullptr) {
    std::cerr << "run DATABASE URL ROWS\n";
    return EXIT_FAILURE;
  }
  try {
    const std::string database = argv[2];
    const std::uint64_t rows = std::stoull(argv[4]);
    const ClientOptions client{.apiKey = key, .baseUrl = argv[3], .timeout = std::chrono::seconds{5}};
    const auto records = recordsOf(Client{client});
    Outbox outbox{database};
    outbox.migrate();
    const double enqueued = bench::secondsOf([&] { enqueue(outbox, records, rows); });
    std::cout << enqueued << ' ' << bench::secondsOf([&] { work(database, client, rows); }) << '\n';
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
