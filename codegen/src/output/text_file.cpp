#include "output/text_file.h"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace tally::codegen::output {

namespace fs = std::filesystem;

std::optional<std::string> readText(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  std::ifstream in{path, std::ios::binary};
  return std::string{std::istreambuf_iterator<char>{in}, {}};
}

void writeText(const fs::path& path, std::string_view text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream out{path, std::ios::binary};
  out << text;
  out.close();
  if (!out) throw std::runtime_error{path.string() + ": can't be written; nothing was changed"};
}

}  // namespace tally::codegen::output
