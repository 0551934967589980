#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tally::codegen::test {

/// A folder of its own for each test, gone afterwards.
class TempFolder {
 public:
  TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

[[nodiscard]] std::string readFile(const std::filesystem::path& path);
void writeFile(const std::filesystem::path& path, std::string_view text);

/// Every file below a folder, by its path in it.
[[nodiscard]] std::map<std::string, std::string> tree(const std::filesystem::path& folder);

/// What the generator did.
struct Outcome {
  int status = 0;
  std::string out{};
  std::vector<std::string> errors{};  // lines
};

[[nodiscard]] Outcome generate(const std::vector<std::string>& arguments);

/// A change to one file of a description: `value`, JSON, is put at `pointer`; "" removes what is there.
struct Edit {
  std::string file{};
  std::string pointer{};
  std::string value{};
};

/// The small description in tests/codegen/small_api, with changes, in `folder`.
void writeSmallApi(const std::filesystem::path& folder, const std::vector<Edit>& edits = {});

/// The root of the repository, and of the tests of the generator.
[[nodiscard]] std::filesystem::path repository();
[[nodiscard]] std::filesystem::path testFolder();

/// The lines of `text`.
[[nodiscard]] std::vector<std::string> linesOf(const std::string& text);

}  // namespace tally::codegen::test
