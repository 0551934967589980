#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

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

/// Follows the name of the file of rows that were not applied, until all are in it.
inline constexpr std::string_view incompleteSuffix = ".part";

/// The journal of a file unless `--journal` names another.
std::string defaultJournal(const std::string& file);

/// The file of the rows that were not applied, which `--refused` may name by a link. Throws UsageError if no
/// new file can take its place.
std::string refusedFile(const std::string& name);

/// Throws UsageError.
Arguments parseArguments(int argc, char** argv);

}  // namespace tally::detail
