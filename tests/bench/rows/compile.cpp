#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "temporary_folder.h"

namespace tally::bench {

namespace {

std::string compiler(const std::string& arguments) {
  return TALLY_BENCH_COMPILER " -std=c++20 " TALLY_BENCH_INCLUDES " " + arguments;
}

void write(const std::filesystem::path& path, const std::string& text) {
  if (!(std::ofstream{path} << text)) throw std::runtime_error{"can't write " + path.string()};
}

double cpuSeconds(const std::filesystem::path& source) {
  return run(compiler("-c -o /dev/null " + source.string())).cpuSeconds;
}

/// Compiles a file of the first lines, and one of the others.
Row compileRow(const std::string& ours, const std::string& others, const std::string& reference,
               double most) {
  const test::TemporaryFolder folder;
  const auto figureFile = folder.path() / "ours.cpp";
  const auto referenceFile = folder.path() / "reference.cpp";
  write(figureFile, "#include <" + ours + ">\n");
  write(referenceFile, others);
  const Pair pair =
      measurePair(7, [&] { return cpuSeconds(figureFile); }, [&] { return cpuSeconds(referenceFile); });
  return {.what = "compile a file that includes <" + ours + ">",
          .figure = fixed(pair.figure, 2) + " s",
          .reference = fixed(pair.reference, 2) + " s, " + reference,
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(most, 2),
          .met = pair.ratio <= most};
}

constexpr std::string_view bareCall = R"(#include <curl/curl.h>
int main(int, char** arguments) {
  CURL* const handle = curl_easy_init();
  curl_easy_setopt(handle, CURLOPT_URL, arguments[1]);
  return curl_easy_perform(handle);
})";

/// The size in bytes of a program without its symbols.
double programSize(const std::filesystem::path& source, const std::string& flags) {
  std::filesystem::path program = source;
  program += ".stripped";
  (void)run(TALLY_BENCH_COMPILER " -std=c++20 -O2 -s " + source.string() + " -o " + program.string() + ' ' +
            flags);
  return static_cast<double>(std::filesystem::file_size(program));
}

/// Installs the client as users do.
std::string installed(const std::filesystem::path& folder) {
  const std::string build = (folder / "build").string();
  const std::string prefix = (folder / "installed").string();
  (void)run("cmake -S " TALLY_BENCH_SOURCE " --preset lean -B " + build + " -D CMAKE_INSTALL_LIBDIR=lib");
  (void)run("cmake --build " + build + " -j $(nproc)");
  (void)run("cmake --install " + build + " --prefix " + prefix);
  return prefix;
}

}  // namespace

Row sizeOfOneCall() {
  constexpr double goal = 400e3;
  const test::TemporaryFolder folder;
  const auto call = folder.path() / "one_call.cpp";
  std::filesystem::copy_file(TALLY_BENCH_SOURCE "/tests/bench/counts/one_call.cpp", call);
  const std::string packages = installed(folder.path()) + "/lib/pkgconfig";
  const double size =
      programSize(call, "$(PKG_CONFIG_PATH=" + packages + " pkg-config --cflags --libs tally)");
  const auto bare = folder.path() / "bare.cpp";
  write(bare, std::string{bareCall});
  return {.what = "size of a program with one call, stripped",
          .figure = fixed(size / 1e3, 0) + " KB",
          .reference = fixed(programSize(bare, "-lcurl") / 1e3, 0) + " KB, bare libcurl",
          .ratio = "—",
          .goal = "≤ " + fixed(goal / 1e3, 0) + " KB",
          .met = size <= goal};
}

Row compileTime() {
  return compileRow("tally/tally.h", "#include <boost/json.hpp>\n#include <curl/curl.h>\n",
                    "curl.h and boost/json.hpp", 1.0);
}

Row compileTimeAsync() {
  return compileRow("tally/async.h", "#include <tally/tally.h>\n", "tally/tally.h", 1.15);
}

Row compileTimeAsio() {
  return compileRow("tally/asio.h", "#include <boost/asio/any_completion_handler.hpp>\n",
                    "Asio's any_completion_handler.hpp", 1.3);
}

}  // namespace tally::bench
