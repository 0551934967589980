#include "output/temp_folder.h"

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp

namespace tally::codegen::output {

TempFolder::TempFolder(const std::filesystem::path& parent) {
  std::string name = (parent / ".tally-codegen-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::runtime_error{parent.string() + ": can't create a temporary folder in it: " +
                             std::generic_category().message(errno)};
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tally::codegen::output
