#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/process.h"

namespace tally::test {

/// The executable tally-outbox.
class OutboxProgram : public Process {
 public:
  explicit OutboxProgram(const std::vector<std::string>& arguments) : Process(TALLY_OUTBOX, arguments) {}

  /// Reads standard error up to a line with this text, and returns it; everything that was read if there is
  /// none.
  std::string until(const std::string& text) {
    std::string read;
    for (std::string line = errorLine(); !line.empty(); line = errorLine()) {
      if (line.find(text) != std::string::npos) return line;
      read += line + '\n';
    }
    return "not found: " + text + ", only: " + read;
  }
};

/// The contents of a file.
inline std::string textOfFile(const std::string& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

struct ProgramResult {
  int status = 0;
  std::string output{};  // and then standard error
};

/// Runs tally-outbox to its end.
inline ProgramResult runOutboxProgram(const std::vector<std::string>& arguments) {
  OutboxProgram program{arguments};
  std::string output = program.rest();
  return {.status = program.status(), .output = std::move(output)};
}

}  // namespace tally::test
