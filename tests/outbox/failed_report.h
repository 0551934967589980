#pragma once

#include <chrono>
#include <string>
#include <utility>

#include <tally/outbox_report.h>

namespace tally::test {

/// A report that can be sent.
[[nodiscard]] inline OutboxReport failedReport(std::string id, std::string key = {}) {
  return {.report = {.id = std::move(id),
                     .outcome = "failed",
                     .time = Timestamp{std::chrono::seconds{1'767'225'600}}},
          .key = std::move(key)};
}

}  // namespace tally::test
