#pragma once

#include <string>
#include <vector>

#include "load/references.h"

namespace tally::codegen::load {

/// A place in the description with its source.
struct Attribution {
  Node node{};
  std::string section{};                   // empty if not documented
  std::vector<std::string> assumptions{};  // keys of x-assumptions
};

/// Every attribution, in file order. A node without one inherits that of its nearest ancestor.
[[nodiscard]] std::vector<Attribution> attributions(const Documents& documents);

/// The attribution of `node`: its own or that of its nearest ancestor in the same file.
[[nodiscard]] Attribution attributionOf(const Documents& documents, const Node& node);

/// Finds facts without provenance, unknown sections and assumptions, and unused assumptions.
void checkProvenance(const Documents& documents, Problems& problems);

}  // namespace tally::codegen::load
