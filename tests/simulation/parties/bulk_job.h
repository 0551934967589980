#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <tally/report_all.h>
#include <tally/tally.h>

#include "sdk/support/memory_journal.h"
#include "simulation/network/network.h"
#include "simulation/parties/shop.h"

namespace tally::simulation {

/// A bulk job with a journal. Its process dies, and another one continues, until everything is decided.
class BulkJob {
 public:
  /// Makes an input with `rows` reports on the records of the shop.
  BulkJob(Network& network, Sender& sender, const Shop& shop, std::size_t rows);

  /// Runs until all reports have ended. `options` makes the client options of a new process. For a joined
  /// thread.
  void run(const std::function<ClientOptions()>& options);

  /// The process dies, unless there is none.
  void kill();
  /// The journal fails with one of the next writes: before or after it has written.
  void failJournal();
  [[nodiscard]] bool isComplete() const { return isComplete_; }
  [[nodiscard]] std::size_t rows() const { return reports_.size(); }

 private:
  class ProcessJournal;

  void runProcess(const ClientOptions& options);
  void restartLater();
  void receive(const ReportResult& result);
  void write(std::span<const JournalIntent> intents, std::span<const JournalOutcome> outcomes);
  [[nodiscard]] stress::RandomSource& random() { return network_.history().random(); }

  Network& network_;
  Sender& sender_;
  std::vector<Report> reports_{};
  std::vector<std::uint64_t> numbers_{};       // of the changes, by row
  test::MemoryJournal journal_{};              // survives the processes
  std::map<std::uint64_t, ReportEnd> told_{};  // by row
  StopSource stop_{};
  bool isRunning_ = false;
  bool isComplete_ = false;
  bool failsBefore_ = false;
  bool failsAfter_ = false;
};

}  // namespace tally::simulation
