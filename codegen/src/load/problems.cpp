#include "load/problems.h"

#include <algorithm>
#include <utility>

namespace tally::codegen {

void Problems::add(const Place& place, std::string_view what, std::string_view remedy) {
  add(place.str().append(": ").append(what).append("; ").append(remedy));
}

// A schema with many references is visited many times, but reported once. A line break in a name is replaced,
// so that each problem stays on one line.
void Problems::add(std::string line) {
  std::ranges::replace_if(line, [](unsigned char c) { return c < ' '; }, ' ');
  if (std::find(lines_.begin(), lines_.end(), line) == lines_.end()) lines_.push_back(std::move(line));
}

std::string inQuotes(std::string_view text) {
  return std::string{"'"}.append(text).append("'");
}

std::string joined(const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts)
    result.append(result.empty() ? "" : ", ") += text;
  return result;
}

std::string oneOf(const std::vector<std::string>& texts) {
  std::string result;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) result += i + 1 == texts.size() ? " or " : ", ";
    result += inQuotes(texts[i]);
  }
  return result;
}

}  // namespace tally::codegen
