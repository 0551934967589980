#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tally/fake/sent_request.h>
#include <tally/fake/service.h>
#include <tally/report_all.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::test {

/// Keeps what it is told, and can fail.
class MemoryJournal final : public ReportJournal {
 public:
  void open(const JournalOwner& owner) override {
    if (!owner_) owner_ = owner;
    if (*owner_ != owner) throw JournalError{"the journal is that of " + owner_->source};
  }
  void write(std::span<const JournalIntent> intents, std::span<const JournalOutcome> outcomes) override {
    if (writesLeft == 0) throw JournalError{"the disk is full"};
    --writesLeft;
    const int number = writes++;
    if (beforeWrite) beforeWrite(number);
    for (const JournalOutcome& outcome : outcomes) {
      this->sent.erase(outcome.row);
      ended[outcome.row] = outcome;
    }
    for (const JournalIntent& intent : intents) {
      ended.erase(intent.row);
      this->sent[intent.row] = intent;
    }
    if (onWrite) onWrite(intents);
    if (afterWrite) afterWrite(number);
  }
  [[nodiscard]] std::vector<JournalIntent> intents(std::uint64_t row, std::size_t limit) override {
    if (onRead) onRead();
    return from(sent, row, limit);
  }
  [[nodiscard]] std::vector<JournalOutcome> outcomes(std::uint64_t row, std::size_t limit) override {
    if (onRead) onRead();
    return from(ended, row, limit);
  }

  [[nodiscard]] const std::optional<JournalOwner>& owner() const { return owner_; }

  int writesLeft = 1'000'000;
  int writes = 0;
  // Called with the number of the write, from 0. They may throw: before, nothing is written; after, all is.
  std::function<void(int)> beforeWrite{};
  std::function<void(int)> afterWrite{};
  std::function<void(std::span<const JournalIntent>)> onWrite{};
  std::function<void()> onRead{};
  std::size_t mostAtOnce = 1'000'000;  // what intents() and outcomes() return, whatever the limit
  std::map<std::uint64_t, JournalIntent> sent{};
  std::map<std::uint64_t, JournalOutcome> ended{};

 private:
  template <class T>
  [[nodiscard]] std::vector<T> from(const std::map<std::uint64_t, T>& rows, std::uint64_t row,
                                    std::size_t limit) const {
    std::vector<T> found;
    for (auto at = rows.lower_bound(row); at != rows.end() && found.size() < std::min(limit, mostAtOnce);
         ++at)
      found.push_back(at->second);
    return found;
  }

  std::optional<JournalOwner> owner_{};
};

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
  [[nodiscard]] int timesApplied(std::size_t row) const {
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
