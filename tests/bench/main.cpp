#include <cstdlib>
#include <exception>
#include <iostream>

#include "rows.h"

// Exits with success when every result was right; a goal that is missed is for the reader of the table.
int main() {
  using namespace tally::bench;
  try {
    std::cout << table({decodePage(), retrieve(), walkMemory(), compileTime(), generateAll()});
    return EXIT_SUCCESS;
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return EXIT_FAILURE;
  }
}
