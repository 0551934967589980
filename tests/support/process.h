#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <sys/types.h>

namespace tally::test {

/// An executable, started with arguments. Ended with the test, if it has not ended itself.
class Process {
 public:
  Process(const std::string& executable, const std::vector<std::string>& arguments);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  /// The next line of its output; empty at its end.
  std::string line();

  /// Everything that it still writes, errors after output.
  std::string rest();

  /// The end of its output that can be polled, as for when the process is over.
  [[nodiscard]] int output() const noexcept { return output_; }

  void signal(int number) const;

  /// Ends it at once, and returns when it no longer runs. Does not take its status.
  void endAtOnce() const;

  /// From now on it may have no more than so many files and connections open.
  void limitFiles(std::size_t count) const;

  /// A signal ends it once it has worked for so long.
  void limitWork(std::chrono::seconds time) const;

  /// Its exit status once it has ended; -1 if a signal ended it.
  int status();

 private:
  pid_t process_ = -1;
  int output_ = -1;
  int errors_ = -1;
};

}  // namespace tally::test
