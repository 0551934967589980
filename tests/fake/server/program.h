#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace tally::test {

/// The executable tally-fake, started with arguments. Ended with the test, if it has not ended itself.
class Program {
 public:
  explicit Program(const std::vector<std::string>& arguments);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  /// The next line of its output; empty at its end.
  std::string line();

  /// Everything that it still writes, errors after output.
  std::string rest();

  void signal(int number) const;

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

/// What the line says with which tally-fake begins.
struct Greeting {
  std::uint16_t port = 0;
  std::string url{};
  std::string account{};
  std::string liveKey{};
  std::string sandboxKey{};
};

[[nodiscard]] Greeting greetingOf(const std::string& line);

}  // namespace tally::test
