#include "output/tree.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

#include "output/temp_folder.h"
#include "output/text_file.h"

namespace tally::codegen::output {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view pages = "docs/reference";
constexpr std::string_view folders[] = {"sdk/generated", "fake/generated", pages};
constexpr std::string_view mark = "Generated from the API description";

bool isGenerated(const fs::path& path) {
  const std::string text = readText(path).value_or("");
  return text.substr(0, text.find('\n')).find(mark) != std::string::npos;
}

void collectStale(const fs::path& root, const std::set<std::string>& known, Drift& drift) {
  for (const std::string_view folder : folders) {
    std::error_code error;
    for (fs::recursive_directory_iterator it{root / folder, error}, end; it != end; it.increment(error)) {
      const std::string path = it->path().lexically_relative(root).generic_string();
      if (it->is_regular_file() && !known.contains(path) && isGenerated(it->path()))
        drift.stale.push_back(path);
    }
  }
  std::sort(drift.stale.begin(), drift.stale.end());
}

/// Fails if something else is where a file or one of its folders should be, such as a page of the reference
/// that was written by hand.
void checkPlace(const fs::path& root, const fs::path& path) {
  const auto fail = [&](const fs::path& other, const std::string& what) {
    throw std::runtime_error{(root / path).string() + ": can't be written: " + other.string() + what +
                             "; nothing was changed"};
  };
  std::error_code error;
  if (fs::exists(root / path, error) && !fs::is_regular_file(root / path, error))
    fail(root / path, " is not a file");
  if (path.parent_path() == pages && fs::exists(root / path, error) && !isGenerated(root / path))
    fail(root / path, " was not generated");
  for (fs::path folder = path.parent_path(); !folder.empty(); folder = folder.parent_path())
    if (fs::exists(root / folder, error) && !fs::is_directory(root / folder, error))
      fail(root / folder, " is not a folder");
}

}  // namespace

Drift compare(const fs::path& root, const std::vector<emit::File>& files) {
  Drift drift;
  std::set<std::string> known;
  for (const emit::File& file : files) {
    if (!known.insert(file.path).second)
      throw std::runtime_error{file.path + ": generated twice; rename the resource"};
    const auto text = readText(root / file.path);
    if (!text) {
      drift.missing.push_back(&file);
    } else if (*text != file.text) {
      drift.different.push_back(&file);
    }
  }
  collectStale(root, known, drift);
  return drift;
}

std::vector<std::string> describe(const Drift& drift) {
  std::vector<std::string> lines;
  lines.reserve(drift.missing.size() + drift.different.size() + drift.stale.size());
  for (const emit::File* file : drift.missing)
    lines.push_back(file->path + ": missing");
  for (const emit::File* file : drift.different)
    lines.push_back(file->path + ": differs from the output of tally-codegen");
  for (const std::string& path : drift.stale)
    lines.push_back(path + ": stale, no longer generated");
  return lines;
}

void write(const fs::path& root, const Drift& drift) {
  std::vector<const emit::File*> files = drift.missing;
  files.insert(files.end(), drift.different.begin(), drift.different.end());
  for (const emit::File* file : files)
    checkPlace(root, file->path);
  fs::create_directories(root);
  const TempFolder folder{root};
  for (const emit::File* file : files)
    writeText(folder / file->path, file->text);
  for (const emit::File* file : files) {
    fs::create_directories((root / file->path).parent_path());
    fs::rename(folder / file->path, root / file->path);
  }
  for (const std::string& path : drift.stale)
    fs::remove(root / path);
}

}  // namespace tally::codegen::output
