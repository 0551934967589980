#include "simulation/parties/bulk_job.h"

#include <algorithm>
#include <span>
#include <utility>

namespace tally::simulation {

namespace {

using namespace std::chrono_literals;

Said saidBy(ReportEnd end) {
  if (end == ReportEnd::applied) return Said::happened;
  return end == ReportEnd::unknown ? Said::mayHave : Said::didNot;
}

}  // namespace

/// The journal as a process sees it: once the process has died, nothing is written.
class BulkJob::ProcessJournal final : public ReportJournal {
 public:
  explicit ProcessJournal(BulkJob& job) : job_(job) {}

  void open(const JournalOwner& owner) override { job_.journal_.open(owner); }
  void write(std::span<const JournalIntent> intents, std::span<const JournalOutcome> outcomes) override {
    job_.write(intents, outcomes);
  }
  [[nodiscard]] std::vector<JournalIntent> intents(std::uint64_t row, std::size_t limit) override {
    return job_.journal_.intents(row, limit);
  }
  [[nodiscard]] std::vector<JournalOutcome> outcomes(std::uint64_t row, std::size_t limit) override {
    return job_.journal_.outcomes(row, limit);
  }

 private:
  BulkJob& job_;
};

BulkJob::BulkJob(Network& network, Sender& sender, const Shop& shop, std::size_t rows)
    : network_(network), sender_(sender) {
  for (std::size_t row = 0; row < rows; ++row) {
    const Id<PaymentRecord>& id = random().oneOf(shop.records);
    const std::uint64_t number = network_.checker().announce(id.str(), sender_.number + 1);
    const test::AnyReport report = anyReport(random(), number);
    reports_.push_back({.id = id.str(),
                        .outcome = test::nameOf(report.outcome),
                        .time = report.at,
                        .metadata = report.metadata,
                        .reference = std::to_string(row)});
    numbers_.push_back(number);
  }
}

void BulkJob::write(std::span<const JournalIntent> intents, std::span<const JournalOutcome> outcomes) {
  if (sender_.isDead) throw JournalError{"the process is dead"};
  if (std::exchange(failsBefore_, false)) throw JournalError{"the disk is full"};
  network_.history().step("journal", intents.size() * 1'000 + outcomes.size(), [&] {
    return sender_.name + " writes " + std::to_string(intents.size()) + " intents and " +
           std::to_string(outcomes.size()) + " outcomes";
  });
  journal_.write(intents, outcomes);
  if (network_.broken() == Broken::journalForgets && !outcomes.empty() && random().oneIn(4)) {
    const std::uint64_t row = outcomes.front().row;
    network_.history().step("journal forgets", row, [&] {
      return sender_.name + " forgets the outcome of row " + std::to_string(row) + ", change " +
             std::to_string(numbers_[row]);
    });
    journal_.ended.erase(row);
  }
  if (std::exchange(failsAfter_, false)) throw JournalError{"the disk fails"};
}

void BulkJob::run(const std::function<ClientOptions()>& options) {
  while (!isComplete_ && !network_.history().isOver()) {
    runProcess(options());
    if (!isComplete_ && !network_.history().isOver()) restartLater();
  }
}

/// What is still on its way when a process dies reaches the service before the next one starts.
void BulkJob::restartLater() {
  fake::VirtualClock& clock = *network_.service().clock();
  (void)clock.sleepUntil(clock.now() + 4s + random().upTo(2s), network_.history().over());
  sender_.isDead = false;
}

void BulkJob::runProcess(const ClientOptions& options) {
  stop_ = StopSource{};
  const StopCallback atEnd{network_.history().over(), [stop = stop_]() mutable { stop.request_stop(); }};
  isRunning_ = true;
  network_.history().step("job started", sender_.number, sender_.name);
  const ReportSummary summary = reportAll(Client{options}, reports_,
                                          {.journal = std::make_shared<ProcessJournal>(*this),
                                           .source = "input",
                                           .window = 1 + random().below(100),
                                           .maxInFlight = 1 + random().below(20),
                                           .retryTimeout = 30s,
                                           .gracePeriod = 1s,
                                           .stop = stop_.get_token()},
                                          [this](const ReportResult& result) { receive(result); });
  isRunning_ = false;
  network_.history().step("job ended", sender_.number, [&] {
    return sender_.name + ": " + std::to_string(summary.progress.ended()) + " reports have ended; " +
           summary.problem;
  });
  if (!sender_.isDead) isComplete_ = summary.isComplete;
}

/// Results that reach a process after its death are lost.
void BulkJob::receive(const ReportResult& result) {
  if (sender_.isDead || result.pending || result.end == ReportEnd::unsent) return;
  const auto [at, isNew] = told_.emplace(result.row, result.end);
  network_.checker().require(at->second == result.end, "reported once",
                             sender_.name + " reports another outcome for row " + std::to_string(result.row));
  if (isNew) network_.checker().told(numbers_[result.row], saidBy(result.end), sender_.name);
}

void BulkJob::kill() {
  if (!isRunning_ || sender_.isDead) return;
  network_.history().step("job killed", sender_.number, [&] { return sender_.name + " is killed"; });
  sender_.isDead = true;
  stop_.request_stop();
}

void BulkJob::failJournal() {
  network_.history().step("journal fails", sender_.number, sender_.name);
  (random().oneIn(2) ? failsBefore_ : failsAfter_) = true;
}

}  // namespace tally::simulation
