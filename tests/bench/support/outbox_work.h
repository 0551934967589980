#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tally/outbox.h>
#include <tally/tally.h>

#include "outbox/without_limits.h"

namespace tally::bench {

/// Up to 1,000 records of the account.
[[nodiscard]] inline std::vector<PaymentRecord> recordsOf(const Client& client) {
  constexpr std::size_t most = 1'000;
  std::vector<PaymentRecord> records;
  for (auto& record : client.paymentRecords().list({.limit = 100})) {
    records.push_back(std::move(record).value());
    if (records.size() == most) break;
  }
  return records;
}

/// A report that needs no read before it. The outcome alternates with `row`.
[[nodiscard]] inline OutboxReport reportOn(const PaymentRecord& record, std::uint64_t row) {
  constexpr std::chrono::sys_seconds when{std::chrono::seconds{1767225600}};
  return {.report = {.id = record.id.str(),
                     .outcome = row % 2 == 0 ? "canceled" : "failed",
                     .time = when,
                     .metadata = {{"row", std::to_string(row)}},
                     .attempt = record.latestPaymentAttemptRecord.str()},
          .key = std::to_string(row)};
}

/// Options of a worker of the domain `shop`.
[[nodiscard]] inline OutboxOptions workOn(const ClientOptions& client) {
  OutboxOptions options;
  options.allowLossOnPowerFailure = true;
  options.domains = {{.name = "shop", .client = client, .pacing = test::withoutLimits()}};
  return options;
}

}  // namespace tally::bench
