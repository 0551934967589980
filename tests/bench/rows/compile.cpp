#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "temporary_folder.h"

namespace tally::bench {

namespace {

constexpr double goal = 1.3;

std::string compiler(const std::string& arguments) {
  return TALLY_BENCH_COMPILER " -std=c++20 " TALLY_BENCH_INCLUDES " " + arguments;
}

void write(const std::filesystem::path& path, const std::string& text) {
  if (!(std::ofstream{path} << text)) throw std::runtime_error{"can't write " + path.string()};
}

/// The lines of a header that include a standard library header.
void collectStandardIncludes(const std::filesystem::path& header, std::set<std::string>& lines) {
  std::ifstream file{header};
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("#include <") && line.find_first_of("/.") == std::string::npos) lines.insert(line);
}

/// The same for every header that `source` includes, according to the compiler.
std::string standardIncludes(const std::filesystem::path& source) {
  std::set<std::string> lines;
  std::istringstream rule{run(compiler("-MM " + source.string())).output};
  for (std::string word; rule >> word;)
    if (word.find("/tally/") != std::string::npos) collectStandardIncludes(word, lines);
  if (lines.empty()) throw std::runtime_error{"found no headers"};
  std::string text;
  for (const std::string& line : lines)
    text += line + '\n';
  return text;
}

double cpuSeconds(const std::filesystem::path& source) {
  return run(compiler("-c -o /dev/null " + source.string())).cpuSeconds;
}

/// What a header adds to <tally/tally.h>.
Row addedCompileTime(const std::string& header, double most) {
  const test::TemporaryFolder folder;
  const auto with = folder.path() / "with.cpp";
  const auto without = folder.path() / "without.cpp";
  const std::string reference = "#include <tally/tally.h>\n";
  write(with, reference + "#include <" + header + ">\n");
  write(without, reference);

  const Pair pair = measurePair(7, [&] { return cpuSeconds(with); }, [&] { return cpuSeconds(without); });
  const double added = pair.figure - pair.reference;
  return {.what = "compile a file that includes <" + header + "> too",
          .figure = fixed(pair.figure, 2) + " s",
          .reference = fixed(pair.reference, 2) + " s, tally/tally.h",
          .ratio = "+ " + fixed(added, 2) + " s",
          .goal = "+ ≤ " + fixed(most, 2) + " s",
          .met = added <= most};
}

}  // namespace

Row compileTime() {
  const test::TemporaryFolder folder;
  const auto ours = folder.path() / "ours.cpp";
  const auto reference = folder.path() / "reference.cpp";
  write(ours, "#include <tally/tally.h>\n");
  write(reference, "#include <boost/outcome/result.hpp>\n" + standardIncludes(ours));

  const Pair pair = measurePair(7, [&] { return cpuSeconds(ours); }, [&] { return cpuSeconds(reference); });
  return {.what = "compile a file that includes <tally/tally.h>",
          .figure = fixed(pair.figure, 2) + " s",
          .reference = fixed(pair.reference, 2) + " s, outcome/result.hpp",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

Row compileTimeAsync() {
  return addedCompileTime("tally/async.h", 0.2);
}

Row compileTimeAsio() {
  return addedCompileTime("tally/asio.h", 0.45);
}

}  // namespace tally::bench
