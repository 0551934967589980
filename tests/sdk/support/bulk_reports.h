#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tally/fake/sent_request.h>
#include <tally/fake/service.h>
#include <tally/report_all.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/memory_journal.h"

namespace tally::test {

/// What the caller is told about one row.
struct Told {
  ReportEnd end = ReportEnd::applied;
  bool pending = false;
  bool fromEarlierRun = false;
  std::string reason{};
};

class ReportAll : public testing::Test {
 protected:
  /// A report with a metadata value of its own, so that the log shows how often it was applied.
  Report makeReport(const PaymentRecord& record, const std::string& outcome = "failed") {
    const std::string row = std::to_string(reports.size());
    reports.push_back({.id = record.id.str(),
                       .outcome = outcome,
                       .time = std::chrono::sys_seconds{std::chrono::seconds{1767225600}},
                       .metadata = {{"row", row}},
                       .attempt = record.latestPaymentAttemptRecord.str(),
                       .reference = row});
    return reports.back();
  }
  PaymentRecord makeRecord() { return service->insert<PaymentRecord>(key); }

  /// Reports on new records, with outcomes in turn.
  void makeReports(int count) {
    const char* outcomes[] = {"canceled", "failed", "guaranteed"};
    for (int i = 0; i < count; ++i)
      makeReport(makeRecord(), outcomes[i % 3]);
  }

  ReportSummary run() {
    told.clear();
    return reportAll(client, reports, options, [&](const ReportResult& result) {
      EXPECT_TRUE(
          told.emplace(result.row, Told{result.end, result.pending, result.fromEarlierRun, result.reason})
              .second)
          << "row " << result.row << " twice";
      if (onResult) onResult(result);
    });
  }

  /// How often the service applied the report of a row.
  [[nodiscard]] int timesApplied(std::uint64_t row) const {
    const fake::SentParam param{"metadata[row]", std::to_string(row)};
    return static_cast<int>(
        std::ranges::count_if(service->requests().list(), [&](const fake::LoggedRequest& request) {
          return request.processed && std::ranges::count(fake::sentParams(request.request), param) != 0;
        }));
  }
  [[nodiscard]] int reads() const {
    return static_cast<int>(
        std::ranges::count(service->requests().list(), std::string{"GET"}, &fake::LoggedRequest::method));
  }
  [[nodiscard]] std::string stateOf(const std::string& id) const {
    return service->objects().stateOf(key, id).value();
  }

  void expectAllDoneOnce() {
    EXPECT_THAT(told, testing::SizeIs(reports.size()));
    for (std::size_t row = 0; row < reports.size(); ++row) {
      EXPECT_EQ(told[row].end, ReportEnd::applied) << row << ": " << told[row].reason;
      EXPECT_EQ(timesApplied(row), 1) << row;
    }
  }

  /// Starts over with a new service.
  void renew(const fake::ServiceOptions& serviceOptions = {.limits = false, .requestLog = 100'000}) {
    service.emplace(serviceOptions);
    key = service->addAccount().sandboxKey;
    client = Client{service->clientOptions(key)};
    reports.clear();
  }

  std::optional<fake::Service> service{std::in_place,
                                       fake::ServiceOptions{.limits = false, .requestLog = 100'000}};
  std::string key = service->addAccount().sandboxKey;
  Client client{service->clientOptions(key)};
  std::vector<Report> reports{};
  ReportAllOptions options{.source = "input"};
  std::function<void(const ReportResult&)> onResult{};
  std::map<std::uint64_t, Told> told{};
};

/// The same with a journal.
class JournaledReports : public ReportAll {
 protected:
  JournaledReports() { options.journal = journal; }

  std::shared_ptr<MemoryJournal> journal = std::make_shared<MemoryJournal>();
};

}  // namespace tally::test
