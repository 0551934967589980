#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tally::codegen {

struct CommandLine {
  std::vector<std::filesystem::path> api{};
  std::filesystem::path out{};
  std::filesystem::path templates{};  // empty: those the generator was built with
  bool check = false;
  bool help = false;
  bool version = false;
};

/// Throws std::runtime_error, with a line for people, where the arguments can't be understood.
[[nodiscard]] CommandLine parse(const std::vector<std::string>& arguments);

extern const std::string_view helpText;

}  // namespace tally::codegen
