// Runs of reportAll() that end at any write to their journal, and are repeated, apply each report at most
// once, and the last run says of each report what the service did. With a damaged journal, a run ends with a
// problem or reports on each row once.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <tally/fake/sent_request.h>
#include <tally/fake/service.h>
#include <tally/report_all.h>
#include <tally/tally.h>

#include "faults.h"
#include "fuzz.h"

namespace tally::fuzz {

namespace {

using std::chrono::milliseconds;

/// A journal in memory that fails at one write, before or after it.
class Journal final : public ReportJournal {
 public:
  void open(const JournalOwner& /*owner*/) override {}
  void write(std::span<const JournalIntent> intents, std::span<const JournalOutcome> outcomes) override {
    const bool fails = left != 0 && --left == 0;
    if (fails && !writesFirst) throw JournalError{"the disk is full"};
    for (const JournalOutcome& outcome : outcomes) {
      sent.erase(outcome.row);
      ended[outcome.row] = outcome;
    }
    for (const JournalIntent& intent : intents) {
      ended.erase(intent.row);
      sent[intent.row] = intent;
    }
    if (fails) throw JournalError{"the disk is gone"};
  }
  [[nodiscard]] std::vector<JournalIntent> intents(std::uint64_t row, std::size_t limit) override {
    return from(sent, row, limit);
  }
  [[nodiscard]] std::vector<JournalOutcome> outcomes(std::uint64_t row, std::size_t limit) override {
    return from(ended, row, limit);
  }

  std::size_t left = 0;  // writes until one fails; 0: none does
  bool writesFirst = false;
  std::map<std::uint64_t, JournalIntent> sent{};
  std::map<std::uint64_t, JournalOutcome> ended{};

 private:
  template <class T>
  static std::vector<T> from(const std::map<std::uint64_t, T>& rows, std::uint64_t row, std::size_t limit) {
    std::vector<T> found;
    for (auto at = rows.lower_bound(row); at != rows.end() && found.size() < limit; ++at)
      found.push_back(at->second);
    return found;
  }
};

struct Told {
  int times = 0;
  ReportEnd end = ReportEnd::unsent;
  bool pending = false;
};

class Run {
 public:
  explicit Run(std::string_view input) : choices_(input) {
    for (int i = 0; i < 3; ++i)
      records_.push_back(service_.insert<PaymentRecord>(key_).id.str());
    for (std::size_t left = 1 + choices_.below(8); left > 0; --left)
      reports_.push_back(report());
  }

  void play() {
    for (std::size_t runs = choices_.below(4); runs > 0; --runs) {
      disturb();
      journal_->left = 1 + choices_.below(8);
      journal_->writesFirst = choices_.oneIn(2);
      (void)once();
    }
    const bool isDamaged = choices_.oneIn(3) && damage();
    disturb();
    journal_->left = 0;
    const ReportSummary summary = once();
    if (summary.problem.empty())
      for (std::uint64_t row = 0; row < reports_.size(); ++row)
        require(told_[row].times == 1, "a run without a problem reports on each row once");
    if (!isDamaged) check(summary);
  }

 private:
  Report report() {
    constexpr const char* outcomes[] = {"failed", "canceled", "failed", "guaranteed"};
    Report report{.id = choices_.oneOf(records_),
                  .outcome = choices_.oneOf(outcomes),
                  .time = std::chrono::sys_seconds{}};
    report.metadata.set("row", std::to_string(reports_.size()));
    return report;
  }

  void disturb() {
    constexpr int steps[] = {0, 1, 50, 1'000, 40'000};
    for (std::size_t left = choices_.below(5); left > 0; --left) {
      fake::FaultRule rule = anyFault(choices_);
      rule.latency = milliseconds{choices_.oneOf(steps)};
      (void)service_.faults().inject(std::move(rule));
    }
  }

  /// Replaces a text in the journal. Returns whether there is one.
  bool damage() {
    const std::size_t which = choices_.below(3);
    const std::uint64_t row = choices_.below(reports_.size());
    const std::string text{choices_.until('\n')};
    const auto sent = journal_->sent.find(row);
    const auto ended = journal_->ended.find(row);
    if (which == 0 && sent != journal_->sent.end()) return sent->second.report = text, true;
    if (which == 1 && sent != journal_->sent.end()) return sent->second.before = text, true;
    if (which == 2 && ended != journal_->ended.end()) return ended->second.report = text, true;
    return false;
  }

  ReportSummary once() {
    told_.clear();
    const Client client{
        service_.clientOptions(key_, {.maxNetworkRetries = 1, .timeout = milliseconds{30'000}})};
    return reportAll(client, reports_,
                     {.journal = journal_, .source = "a", .retryTimeout = milliseconds{2'000}},
                     [&](const ReportResult& result) {
                       Told& told = told_[result.row];
                       ++told.times;
                       told.end = result.end;
                       told.pending = result.pending;
                     });
  }

  void check(const ReportSummary& summary) {
    std::map<std::string, int> applied;
    for (const fake::LoggedRequest& request : service_.requests().list())
      if (request.processed && request.method == "POST")
        for (const fake::SentParam& param : fake::sentParams(request.request))
          if (param.name == "metadata[row]") ++applied[param.value];
    for (std::uint64_t row = 0; row < reports_.size(); ++row) {
      const int times = applied[std::to_string(row)];
      require(times <= 1, "a report is applied at most once");
      const Told told = told_[row];
      if (told.times == 0) continue;
      if (told.end == ReportEnd::applied) require(times == 1, "a report that ended as applied was applied");
      if (told.end == ReportEnd::refused)
        require(times == 0, "a report that ended as refused was not applied");
      if (told.end == ReportEnd::unsent) require(times == 0, "a report that ended as unsent was not applied");
    }
    if (summary.isComplete)
      require(std::ranges::none_of(told_, [](const auto& one) { return one.second.pending; }),
              "a complete job leaves nothing pending");
  }

  Choices choices_;
  fake::Service service_{{.requestLog = 10'000}};
  std::string key_ = service_.addAccount().sandboxKey;
  std::vector<std::string> records_{};
  std::vector<Report> reports_{};
  std::shared_ptr<Journal> journal_ = std::make_shared<Journal>();
  std::map<std::uint64_t, Told> told_{};
};

}  // namespace

void test(std::string_view input) {
  Run{input}.play();
}

}  // namespace tally::fuzz
