#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include <tally/report_journal.h>

namespace tally::test {

/// Keeps its records in memory, and can fail.
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

}  // namespace tally::test
