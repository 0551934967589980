// A journal in SQLite has what a simple model has, also when it is opened again; and a damaged file is
// refused, or read, without any exception other than JournalError.
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tally/sqlite_journal.h>

#include <unistd.h>

#include "fuzz.h"

namespace tally::fuzz {

namespace {

namespace fs = std::filesystem;

const fs::path& file() {
  static const fs::path path =
      fs::temp_directory_path() / ("tally_fuzz_journal." + std::to_string(::getpid()));
  return path;
}

void removeFiles() {
  for (const char* suffix : {"", "-wal", "-shm", ".lock"})
    fs::remove(file().string() + suffix);
}

struct Model {
  std::map<std::uint64_t, JournalIntent> intents{};
  std::map<std::uint64_t, JournalOutcome> outcomes{};
};

template <class T>
std::vector<T> from(const std::map<std::uint64_t, T>& rows, std::uint64_t row, std::size_t limit) {
  std::vector<T> found;
  for (auto at = rows.lower_bound(row); at != rows.end() && found.size() < limit; ++at)
    found.push_back(at->second);
  return found;
}

class Run {
 public:
  explicit Run(std::string_view input) : choices_(input) { removeFiles(); }
  ~Run() {
    journal_.reset();
    removeFiles();
  }

  void play() {
    reopen();
    for (int left = 12; left > 0 && !choices_.isOver(); --left) {
      const std::size_t step = choices_.below(8);
      if (step < 5) write();
      if (step == 5) compare();
      if (step == 6) reopen();
      if (step == 7) return damage();
    }
    compare();
  }

 private:
  void reopen() {
    journal_.reset();
    journal_.emplace(file());
    journal_->open({.source = "a", .account = "b"});
  }

  std::string text() { return std::string{choices_.until('\n')}; }

  /// As a job does: an intent for a row without one, an outcome for an open row.
  void write() {
    std::vector<JournalIntent> intents;
    std::vector<JournalOutcome> outcomes;
    for (std::size_t left = choices_.below(3); left > 0; --left) {
      const std::uint64_t row = choices_.below(6);
      const bool isOpen = !model_.outcomes.contains(row) || model_.outcomes[row].end == ReportEnd::unsent;
      if (!isOpen) continue;
      outcomes.push_back({.row = row, .end = static_cast<ReportEnd>(choices_.below(4)), .reason = text()});
      const auto sent = model_.intents.extract(row);
      const auto ended = model_.outcomes.extract(row);
      outcomes.back().report = !sent.empty()    ? sent.mapped().report
                               : !ended.empty() ? ended.mapped().report
                                                : text();
      model_.outcomes[row] = outcomes.back();
    }
    for (std::size_t left = choices_.below(3); left > 0; --left) {
      const std::uint64_t row = choices_.below(6);
      if (model_.outcomes.contains(row) && model_.outcomes[row].end != ReportEnd::unsent) continue;
      intents.push_back({.row = row, .report = text(), .before = text()});
      model_.outcomes.erase(row);
      model_.intents[row] = intents.back();
    }
    journal_->write(intents, outcomes);
  }

  void compare() {
    const std::uint64_t row = choices_.below(4);
    const std::size_t limit = 1 + choices_.below(6);
    require(journal_->intents(row, limit) == from(model_.intents, row, limit),
            "the intents are those of the model");
    require(journal_->outcomes(row, limit) == from(model_.outcomes, row, limit),
            "the outcomes are those of the model");
    const SqliteJournalState state = journal_->state();
    require(state.source == "a" && state.intents == model_.intents.size(), "the state is that of the model");
  }

  /// Replaces bytes of the file, and uses what is there then.
  void damage() {
    journal_.reset();
    {
      std::fstream out{file(), std::ios::binary | std::ios::in | std::ios::out};
      while (!choices_.isOver()) {
        const auto size = static_cast<std::uint64_t>(fs::file_size(file()));
        out.seekp(static_cast<std::streamoff>(choices_.number(2) % size));
        out.put(static_cast<char>(choices_.byte()));
      }
    }
    try {
      SqliteJournal journal{file()};
      journal.open({.source = "a", .account = "b"});
      (void)journal.intents(0, 10);
      (void)journal.outcomes(0, 10);
      (void)journal.state();
      const JournalIntent intent{.row = 7, .report = "c"};
      journal.write({&intent, 1}, {});
    } catch (const JournalError& error) {
      require(*error.what() != '\0', "a problem has a description");
    }
  }

  Choices choices_;
  Model model_{};
  std::optional<SqliteJournal> journal_{};
};

}  // namespace

void test(std::string_view input) {
  Run{input}.play();
}

}  // namespace tally::fuzz
