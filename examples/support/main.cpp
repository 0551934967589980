// What every example does before its main(): `--help` and the refusal of arguments that it does not take. The
// linker calls this function instead of main() (`--wrap=main`), so the programs stay as short as the pages
// show them.

#include <iostream>
#include <span>
#include <string_view>

#include <fnmatch.h>

#include "about.h"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker has named them
extern "C" {
int __real_main(int argc, char** argv);
int __wrap_main(int argc, char** argv);
}

int __wrap_main(int argc, char** argv) {
  int operands = 0;
  for (const char* const argument : std::span{argv, static_cast<std::size_t>(argc)}.subspan(1)) {
    if (argument == std::string_view{"--help"}) {
      std::cout << exampleHelp;
      return 0;
    }
    const bool isOperand = *argument != '-';
    if (isOperand ? ++operands > exampleOperands : fnmatch(exampleOptions, argument, 0) != 0) {
      std::cerr << "unexpected argument: '" << argument << "'; see --help\n";
      return 2;
    }
  }
  if (operands < exampleOperands) {
    std::cerr << "an argument is missing; see --help\n";
    return 2;
  }
  return __real_main(argc, argv);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
