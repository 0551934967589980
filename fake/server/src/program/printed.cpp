#include "program/printed.h"

#include <iostream>
#include <string>

#include "redact/complaint.h"

namespace tally::fake::detail {

int printed(std::string_view program, std::string_view text, int failure) {
  if (std::cout << text << std::flush) return 0;
  std::cerr << tally::detail::complaint(program, "standard output can't be written") << '\n';
  return failure;
}

void announce(std::string_view line, std::string_view url) {
  if (std::cout << line << '\n' << std::flush) return;
  const std::string problem = "standard output can't be written; listening on " + std::string{url};
  std::cerr << tally::detail::complaint("tally-fake", problem) << '\n';
}

}  // namespace tally::fake::detail
