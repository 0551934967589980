#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <kainjow/mustache.hpp>

#include "emit/text/layout.h"

namespace tally::codegen::emit {

using Data = kainjow::mustache::data;

/// A generated file, with its path relative to the output root.
struct File {
  std::string path{};
  std::string text{};

  bool operator==(const File&) const = default;
};

/// The templates in a folder. Throws std::runtime_error if one is missing or malformed.
class Templates {
 public:
  explicit Templates(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Fills the template with that name with `data`, without escaping.
  [[nodiscard]] std::string render(const std::string& name, const Data& data);

 private:
  kainjow::mustache::mustache& load(const std::string& name);

  std::filesystem::path folder_;
  std::map<std::string, kainjow::mustache::mustache> loaded_{};
};

/// A list of texts for a template.
[[nodiscard]] Data listOf(const Lines& lines);

}  // namespace tally::codegen::emit
