// Replays the inputs in files or folders, without libFuzzer.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz.h"

namespace {

namespace fs = std::filesystem;

/// Prints the name first, so that it is known if the target ends the process.
void replay(const fs::path& file) {
  std::cerr << file.string() << std::endl;
  std::ifstream in{file, std::ios::binary};
  const std::vector<char> exact{std::istreambuf_iterator<char>{in}, {}};  // without a terminating null
  tally::fuzz::test({exact.data(), exact.size()});
}

std::vector<fs::path> filesIn(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator{path})
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t replayed = 0;
  for (int i = 1; i < count; ++i)
    for (const fs::path& file : filesIn(arguments[i])) {
      replay(file);
      ++replayed;
    }
  return replayed == 0 ? 1 : 0;
}
