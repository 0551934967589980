#include "program/command_line.h"

#include <cstddef>
#include <stdexcept>

#include "text/suggestion.h"

namespace tally::codegen {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw std::runtime_error{"tally-codegen: " + what + "; see tally-codegen --help"};
}

constexpr std::string_view options[] = {"--api",         "--out",       "--check", "--clang-format",
                                        "--unformatted", "--templates", "--help",  "--version"};

[[noreturn]] void refuseUnknown(const std::string& argument) {
  const std::string what = "unknown argument '" + argument + '\'';
  const std::string similar = tally::detail::suggestion(argument, options);
  if (similar.empty()) refuse(what);
  throw std::runtime_error{"tally-codegen: " + what + similar + " See tally-codegen --help"};
}

class Arguments {
 public:
  explicit Arguments(const std::vector<std::string>& texts) : texts_(texts) {}

  [[nodiscard]] bool done() const { return next_ == texts_.size(); }
  [[nodiscard]] bool atOption() const { return texts_[next_].starts_with("--"); }
  std::string take() { return texts_[next_++]; }

  std::string valueOf(const std::string& option) {
    if (done() || atOption()) refuse(option + " needs a value");
    return take();
  }

 private:
  const std::vector<std::string>& texts_;
  std::size_t next_ = 0;
};

void takeOption(CommandLine& result, const std::string& option, Arguments& arguments) {
  if (option == "--api") {
    result.api.emplace_back(arguments.valueOf(option));
    while (!arguments.done() && !arguments.atOption())
      result.api.emplace_back(arguments.take());
  } else if (option == "--out") {
    result.out = arguments.valueOf(option);
  } else if (option == "--templates") {
    result.templates = arguments.valueOf(option);
  } else if (option == "--clang-format") {
    result.clangFormat = arguments.valueOf(option);
  } else if (option == "--unformatted") {
    result.unformatted = true;
  } else if (option == "--check") {
    result.check = true;
  } else if (option == "--help") {
    result.help = true;
  } else if (option == "--version") {
    result.version = true;
  } else {
    refuseUnknown(option);
  }
}

}  // namespace

const std::string_view helpText =
    R"(tally-codegen generates the parts of the client and the fake that depend on an API description.

  tally-codegen --api DIR_OR_FILE... --out ROOT [--check] [--unformatted]

  --api           files of the description; for a folder, every *.json in it
  --out           the folder for sdk/generated, fake/generated and docs
  --check         write nothing; list the files that differ, and exit with status 1 if there are any
  --clang-format  the program that formats the C++ files in the style of the
                  .clang-format in or above ROOT (default: )" TALLY_CODEGEN_CLANG_FORMAT R"()
  --unformatted   leave the C++ files as the templates lay them out
  --templates     a folder of templates (default: codegen/templates)
  --help          print this help
  --version       print the version

Exit status: 0 on success; 1 on errors: one line for each on standard error, and no file is written.
)";

CommandLine parse(const std::vector<std::string>& texts) {
  CommandLine result;
  for (Arguments arguments{texts}; !arguments.done();)
    takeOption(result, arguments.take(), arguments);
  if (result.help || result.version) return result;
  if (result.api.empty()) refuse("--api is missing");
  if (result.out.empty()) refuse("--out is missing");
  return result;
}

}  // namespace tally::codegen
