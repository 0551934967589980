#include "program/run.h"

#include <exception>
#include <optional>
#include <ostream>
#include <stdexcept>

#include "emit/emit.h"
#include "load/load.h"
#include "model/build.h"
#include "output/clang_format.h"
#include "output/tree.h"
#include "program/command_line.h"

namespace tally::codegen {

namespace {

/// The generated files; nothing if the description has errors.
std::optional<std::vector<emit::File>> generate(const CommandLine& line, Problems& problems) {
  const auto documents = load::load(line.api, problems);
  if (!documents) return std::nullopt;
  const auto description = model::build(*documents, problems);
  if (!description) return std::nullopt;
  return emit::emit(*description, line.templates.empty() ? TALLY_CODEGEN_TEMPLATES : line.templates);
}

int print(const std::vector<std::string>& lines, std::ostream& errors) {
  for (const std::string& line : lines)
    errors << line << '\n';
  return lines.empty() ? 0 : 1;
}

int generateAndWrite(const CommandLine& line, std::ostream& errors) {
  Problems problems;
  auto files = generate(line, problems);
  if (!files) return print(problems.lines(), errors);
  if (!line.unformatted) output::format(*files, line.clangFormat, line.out);
  const output::Drift drift = output::compare(line.out, *files);
  if (line.check) return print(output::describe(drift), errors);
  output::write(line.out, drift);
  return 0;
}

}  // namespace

int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& errors) try {
  const CommandLine line = parse(arguments);
  if (!line.help && !line.version) return generateAndWrite(line, errors);
  out << (line.help ? helpText : "tally-codegen " TALLY_CODEGEN_VERSION "\n") << std::flush;
  if (!out) throw std::runtime_error{"tally-codegen: can't write to standard output"};
  return 0;
} catch (const std::exception& error) {
  errors << error.what() << '\n';
  return 1;
}

}  // namespace tally::codegen
