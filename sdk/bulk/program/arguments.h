#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace tally::detail {

/// What the command line asks for.
struct Arguments {
  std::string file{};
  std::string url{};
  std::string account{};  // default: recognized by the key and the URL
  std::string journal{};  // default: the file with `.journal`
  std::string refused{};  // default: the file with `.refused.csv`
  std::optional<std::int64_t> rate{};
  bool dryRun = false;
  bool resume = false;
  bool help = false;
  bool version = false;
};

/// The command line, the environment or the input can't be used.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

extern const char* const helpText;

/// The journal of a file unless `--journal` names another.
std::string defaultJournal(const std::string& file);

/// Throws UsageError.
Arguments parseArguments(int argc, char** argv);

}  // namespace tally::detail
