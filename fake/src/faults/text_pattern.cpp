#include <array>
#include <ostream>

#include <tally/fake/text_pattern.h>
#include <tally/open_enum.h>

#include "faults/request_parts.h"
#include "text/readable.h"

namespace tally::fake {

namespace {

std::string quotedText(const std::string& text) {
  std::string quoted;
  tally::detail::appendQuoted(quoted, text);
  return quoted;
}

}  // namespace

bool TextPattern::matches(std::string_view value) const noexcept {
  switch (rule_) {
    case Rule::equal:
      return value == text_;
    case Rule::containing:
      return value.find(text_) != std::string_view::npos;
    case Rule::any:
      return true;
    case Rule::absent:
      break;
  }
  return false;
}

std::ostream& operator<<(std::ostream& out, TextPattern::Rule value) {
  constexpr std::array<std::string_view, 4> texts{"equal", "containing", "any", "absent"};
  return tally::detail::printEnumerator(out, texts, static_cast<std::size_t>(value));
}

std::ostream& operator<<(std::ostream& out, const TextPattern& pattern) {
  switch (pattern.rule()) {
    case TextPattern::Rule::equal:
      return out << quotedText(pattern.text());
    case TextPattern::Rule::containing:
      return out << "containing " << quotedText(pattern.text());
    case TextPattern::Rule::any:
      return out << "any value";
    case TextPattern::Rule::absent:
      break;
  }
  return out << "no value";
}

std::ostream& operator<<(std::ostream& out, const NamedPattern& pattern) {
  std::string name;
  tally::detail::appendReadable(name, pattern.name);
  return out << name << " = " << detail::shownPattern(pattern);
}

}  // namespace tally::fake
