#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "output/temp_folder.h"

namespace tally::codegen::test {

/// A separate folder per test.
class TempFolder : public output::TempFolder {
 public:
  TempFolder() : output::TempFolder(std::filesystem::temp_directory_path()) {}
};

/// Whether the pinned clang-format is installed.
[[nodiscard]] bool hasFormatter();

[[nodiscard]] std::string readFile(const std::filesystem::path& path);
void writeFile(const std::filesystem::path& path, std::string_view text);

/// Every file below a folder, by relative path.
[[nodiscard]] std::map<std::string, std::string> tree(const std::filesystem::path& folder);

/// The outcome of a run of the generator.
struct Outcome {
  int status = 0;
  std::string out{};
  std::vector<std::string> errors{};  // lines
};

[[nodiscard]] Outcome generate(const std::vector<std::string>& arguments);

/// A change to one file of a description: sets `value`, which is JSON, at `pointer`; "" removes the value
/// there.
struct Edit {
  std::string file{};
  std::string pointer{};
  std::string value{};
};

/// Writes the small description in tests/codegen/small_api, with changes, to `folder`.
void writeSmallApi(const std::filesystem::path& folder, const std::vector<Edit>& edits = {});

/// The roots of the repository and of the generator's tests.
[[nodiscard]] std::filesystem::path repository();
[[nodiscard]] std::filesystem::path testFolder();

[[nodiscard]] std::vector<std::string> linesOf(const std::string& text);

}  // namespace tally::codegen::test
