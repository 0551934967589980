#include "failing_calls/support/durable_files.h"

#include <fstream>
#include <mutex>
#include <string>
#include <system_error>

#include "failing_calls/support/injection.h"

namespace tally::test {

namespace {

namespace fs = std::filesystem;

struct Watched {
  std::mutex mutex{};
  fs::path folder{};  // empty: none
  fs::path left{};
};

Watched& watched() {
  static Watched one;
  return one;
}

/// Calls `keep` with what is left of the file, if the file is in the folder.
template <class Keep>
void forFile(const fs::path& file, const Keep& keep) noexcept {
  const Exempt exempt;
  const std::lock_guard lock{watched().mutex};
  if (!watched().folder.empty() && file.parent_path() == watched().folder)
    keep(watched().left / file.filename());
}

/// What this class itself does to the files that are left is not a call of the scenario.
bool isOfScenario() {
  return currentSide() != Side::none && !Exempt::isInForce();
}

}  // namespace

DurableFiles::DurableFiles(const fs::path& folder) {
  const Exempt exempt;
  const std::lock_guard lock{watched().mutex};
  watched().folder = folder;
  watched().left = left_.path();
}

DurableFiles::~DurableFiles() {
  const Exempt exempt;
  const std::lock_guard lock{watched().mutex};
  watched().folder.clear();
}

int durable_files::synced(int file, int result) noexcept {
  if (result != 0 || !isOfScenario()) return result;
  const Exempt exempt;
  std::error_code failed;
  const fs::path name = fs::read_symlink("/proc/self/fd/" + std::to_string(file), failed);
  forFile(name, [&](const fs::path& left) {
    std::error_code ignored;
    fs::copy_file(name, left, fs::copy_options::overwrite_existing, ignored);
  });
  return result;
}

int durable_files::renamed(const char* from, const char* to, int result) noexcept {
  if (result != 0 || !isOfScenario()) return result;
  const Exempt exempt;
  forFile(to, [&](const fs::path& left) {
    const fs::path source = watched().left / fs::path{from}.filename();
    std::error_code ignored;
    if (fs::exists(source, ignored))
      fs::rename(source, left, ignored);
    else
      std::ofstream{left, std::ios::trunc};  // its name is durable, but its contents are not
  });
  return result;
}

int durable_files::removed(const char* name, int result) noexcept {
  if (result != 0 || !isOfScenario()) return result;
  const Exempt exempt;
  forFile(name, [](const fs::path& left) {
    std::error_code ignored;
    fs::remove(left, ignored);
  });
  return result;
}

}  // namespace tally::test
