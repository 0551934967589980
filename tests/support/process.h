#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace tally::test {

/// An executable started with arguments. The destructor kills it if it still runs.
class Process {
 public:
  /// What reads its output: this object, or nobody any more.
  enum class Reader : std::uint8_t { self, gone };

  Process(const std::string& executable, const std::vector<std::string>& arguments,
          Reader reader = Reader::self);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  /// The next line of output; empty at the end.
  std::string line();

  /// The same for standard error.
  std::string errorLine();

  /// Reads all remaining output, then standard error.
  std::string rest();

  /// A pollable descriptor for its output, for example to wait until the process ends.
  [[nodiscard]] int output() const noexcept { return output_; }

  [[nodiscard]] pid_t id() const noexcept { return process_; }

  void signal(int number) const;

  /// Kills it, and returns when it no longer runs. Does not collect its exit status.
  void endAtOnce() const;

  /// From now on, it can have at most `count` open files and connections.
  void limitFiles(std::size_t count) const;

  /// From now on, it can't write more than `bytes` to a file, as if the disk were full.
  void limitFileSize(std::size_t bytes) const;

  /// A signal ends it once it has used `time` of CPU.
  void limitWork(std::chrono::seconds time) const;

  /// Waits until it ends. Returns its exit status; -1 if a signal ended it.
  int status();

 private:
  pid_t process_ = -1;
  int output_ = -1;
  int errors_ = -1;
};

}  // namespace tally::test
