// A description of an API is refused with an explanation, or is complete: all files can be generated from it,
// and a second time with the same result.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "emit/emit.h"
#include "fuzz.h"
#include "load/load.h"
#include "model/build.h"

namespace tally::fuzz {

namespace {

using codegen::Problems;
using codegen::emit::File;

std::vector<File> generated(std::string_view root, std::string_view things, Problems& problems) {
  codegen::load::Documents documents;
  for (const auto& [name, text] :
       {std::pair<std::string, std::string_view>{"root.json", root}, {"things.json", things}})
    if (auto document = codegen::load::parseDocument(name, text, problems))
      documents.emplace(name, *std::move(document));
  if (!problems.empty()) return {};
  const auto checked = codegen::load::check(std::move(documents), problems);
  require(checked.has_value() == problems.empty(), "what is refused has problems");
  if (!checked) return {};
  const auto description = codegen::model::build(*checked, problems);
  require(description.has_value() == problems.empty(), "what can't be expressed has problems");
  if (!description) return {};
  return codegen::emit::emit(*description, TALLY_SOURCE "/codegen/templates");
}

}  // namespace

/// Two files, with a line `---` between them.
void test(std::string_view input) {
  constexpr std::string_view separator = "\n---\n";
  const std::size_t at = std::min(input.find(separator), input.size());
  const std::string_view root = input.substr(0, at);
  const std::string_view things = input.substr(std::min(at + separator.size(), input.size()));
  Problems problems;
  Problems again;
  const std::vector<File> files = generated(root, things, problems);
  require(files.empty() != problems.empty(), "there are files or problems");
  require(files == generated(root, things, again), "the files depend on the description only");
  require(problems.lines() == again.lines(), "the problems depend on the description only");
}

}  // namespace tally::fuzz
