#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tally::codegen {

struct CommandLine {
  std::vector<std::filesystem::path> api{};
  std::filesystem::path out{};
  std::filesystem::path templates{};  // empty: those from the build
  std::string clangFormat{TALLY_CODEGEN_CLANG_FORMAT};
  bool unformatted = false;
  bool check = false;
  bool help = false;
  bool version = false;
};

/// Throws std::runtime_error with a one-line message for invalid arguments.
[[nodiscard]] CommandLine parse(const std::vector<std::string>& arguments);

extern const std::string_view helpText;

}  // namespace tally::codegen
