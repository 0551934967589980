#include "output/change.h"

#include <fstream>
#include <ranges>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace tally::codegen::output {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw std::runtime_error{path.string() + ": can't be written: " + why + "; nothing was changed"};
}

void check(const fs::path& path, const std::error_code& error) {
  if (error) fail(path, error.message());
}

fs::path beside(const fs::path& path, std::string_view ending) {
  return fs::path{path}.concat(ending);
}

}  // namespace

Change::~Change() {
  if (!committed_) undo();
}

void Change::prepare(const std::string& path, std::string_view text) {
  Step& step = steps_.emplace_back();
  step.target = root_ / path;
  step.prepared = beside(step.target, ".new");
  std::error_code error;
  if (fs::exists(step.target, error) && !fs::is_regular_file(step.target, error))
    fail(step.target, "exists and is not a file");
  makeFolders(step.target.parent_path());
  std::ofstream out{step.prepared, std::ios::binary};
  out << text;
  out.close();
  if (!out) fail(step.target, "can't create a file next to it");
}

void Change::remove(const std::string& path) {
  steps_.push_back({.target = root_ / path});
}

void Change::commit() {
  for (Step& step : steps_) {
    save(step);
    if (step.prepared.empty()) continue;
    std::error_code error;
    fs::rename(step.prepared, step.target, error);
    check(step.target, error);
    step.placed = true;
  }
  committed_ = true;
  std::error_code ignored;
  for (const Step& step : steps_)
    if (!step.saved.empty()) fs::remove(step.saved, ignored);
}

void Change::makeFolders(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return;
  makeFolders(folder.parent_path());
  error.clear();
  fs::create_directory(folder, error);
  check(folder, error);
  madeFolders_.push_back(folder);
}

void Change::save(Step& step) {
  std::error_code error;
  if (!fs::exists(step.target, error)) return;
  const fs::path saved = beside(step.target, ".old");
  fs::rename(step.target, saved, error);
  check(step.target, error);
  step.saved = saved;
}

void Change::undo() {
  std::error_code ignored;
  for (const Step& step : steps_) {
    if (step.placed) fs::remove(step.target, ignored);
    if (!step.saved.empty()) fs::rename(step.saved, step.target, ignored);
    if (!step.prepared.empty()) fs::remove(step.prepared, ignored);
  }
  for (const fs::path& folder : std::ranges::reverse_view{madeFolders_})
    fs::remove(folder, ignored);
}

}  // namespace tally::codegen::output
