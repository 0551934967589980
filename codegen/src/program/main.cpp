#include <iostream>
#include <string>
#include <vector>

#include "program/run.h"

int main(int count, char** arguments) {
  return tally::codegen::run(std::vector<std::string>{arguments + 1, arguments + count}, std::cout,
                             std::cerr);
}
