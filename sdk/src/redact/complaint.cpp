#include "redact/complaint.h"

#include "redact/secret_text.h"

namespace tally::detail {

std::string complaint(std::string_view program, std::string_view problem) {
  return std::string{program}.append(": ").append(SecretTexts{}.redact(problem));
}

std::string seeHelp(std::string_view program, std::string_view problem) {
  return complaint(program, problem)
      .append(problem.ends_with('?') ? " See " : "; see ")
      .append(program)
      .append(" --help");
}

}  // namespace tally::detail
