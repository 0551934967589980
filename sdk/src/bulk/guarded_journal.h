#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <type_traits>
#include <vector>

#include <tally/report_journal.h>

namespace tally::detail {

/// Turns whatever an application's journal throws into a JournalError, so that it ends a job in the same way,
/// and keeps it to be thrown at the end of the job.
class GuardedJournal {
 public:
  /// Both must outlive this. `thrown` keeps the first exception, which may be that of others too.
  GuardedJournal(ReportJournal& journal, std::exception_ptr& thrown) : journal_(journal), thrown_(thrown) {}

  void write(std::span<const JournalIntent> intents, std::span<const JournalOutcome> outcomes) {
    guarded([&] { journal_.write(intents, outcomes); });
  }
  [[nodiscard]] std::vector<JournalIntent> intents(std::uint64_t row, std::size_t limit) {
    return guarded([&] { return journal_.intents(row, limit); });
  }
  [[nodiscard]] std::vector<JournalOutcome> outcomes(std::uint64_t row, std::size_t limit) {
    return guarded([&] { return journal_.outcomes(row, limit); });
  }

 private:
  template <class Function>
  std::invoke_result_t<const Function&> guarded(const Function& function) {
    try {
      return function();
    } catch (const JournalError&) {
      throw;
    } catch (...) {
      if (!thrown_) thrown_ = std::current_exception();
      throw JournalError{"the journal threw an exception"};
    }
  }

  ReportJournal& journal_;
  std::exception_ptr& thrown_;
};

}  // namespace tally::detail
