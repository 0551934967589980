#include "emit/docs/markdown.h"

#include <cctype>

namespace tally::codegen::emit {

std::string code(const std::string& text) {
  return '`' + text + '`';
}

std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text)
    result.append(c == '|' ? "\\" : "") += c;
  return result;
}

std::string anchor(const std::string& heading) {
  std::string result;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '_') {
      result += static_cast<char>(std::tolower(byte));
    } else if ((c == ' ' || c == '-') && !result.ends_with('-')) {
      result += '-';
    }
  }
  return result;
}

std::string linkTo(const std::string& page, const std::string& heading) {
  return '[' + heading + "](" + page + '#' + anchor(heading) + ')';
}

}  // namespace tally::codegen::emit
