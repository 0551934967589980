#pragma once

#include <span>
#include <string_view>

namespace tally::detail {

/// A file of `schema`, as it is at the time of the build.
struct EmbeddedFile {
  std::string_view name{};
  std::string_view text{};
};

/// In the order in which a migration runs them.
extern const std::span<const EmbeddedFile> embeddedFiles;

}  // namespace tally::detail
