#include "program/printed.h"

#include <iostream>

#include "redact/complaint.h"

namespace tally::fake::detail {

int printed(std::string_view program, std::string_view text, int failure) {
  if (std::cout << text << std::flush) return 0;
  std::cerr << tally::detail::complaint(program, "standard output can't be written") << '\n';
  return failure;
}

}  // namespace tally::fake::detail
