#include "output/tree.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "output/change.h"

namespace tally::codegen::output {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view folders[] = {"sdk/generated", "fake/generated"};
constexpr std::string_view mark = "Generated from the API description";

std::optional<std::string> read(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  std::ifstream in{path, std::ios::binary};
  return std::string{std::istreambuf_iterator<char>{in}, {}};
}

bool isGenerated(const fs::path& path) {
  const std::string text = read(path).value_or("");
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

}  // namespace

Drift compare(const fs::path& root, const std::vector<emit::File>& files) {
  Drift drift;
  std::set<std::string> known;
  for (const emit::File& file : files) {
    known.insert(file.path);
    const auto text = read(root / file.path);
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
  Change change{root};
  for (const auto* files : {&drift.missing, &drift.different})
    for (const emit::File* file : *files)
      change.prepare(file->path, file->text);
  for (const std::string& path : drift.stale)
    change.remove(path);
  change.commit();
}

}  // namespace tally::codegen::output
