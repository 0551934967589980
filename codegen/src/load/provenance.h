#pragma once

#include <string>
#include <vector>

#include "references.h"

namespace tally::codegen::load {

/// A place of the description that says where what stands there comes from.
struct Attribution {
  Node node{};
  std::string section{};                   // empty where nothing is documented
  std::vector<std::string> assumptions{};  // keys of x-assumptions
};

/// Every attribution, in the order of the files; what has none of its own has that of what it stands in.
[[nodiscard]] std::vector<Attribution> attributions(const Documents& documents);

/// The attribution of what stands at `node`: its own or that of its nearest ancestor in the same file.
[[nodiscard]] Attribution attributionOf(const Documents& documents, const Node& node);

/// Finds facts without provenance, sections and assumptions that do not exist, and assumptions that nothing
/// is based on.
void checkProvenance(const Documents& documents, Problems& problems);

}  // namespace tally::codegen::load
