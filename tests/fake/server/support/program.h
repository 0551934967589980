#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/process.h"

namespace tally::test {

/// The executable tally-fake.
class Program : public Process {
 public:
  explicit Program(const std::vector<std::string>& arguments, Reader reader = Reader::self)
      : Process(TALLY_FAKE, arguments, reader) {}
};

/// The contents of tally-fake's first line of output.
struct Greeting {
  std::uint16_t port = 0;
  std::string url{};
  std::string account{};
  std::string liveKey{};
  std::string sandboxKey{};
};

[[nodiscard]] Greeting greetingOf(const std::string& line);

}  // namespace tally::test
