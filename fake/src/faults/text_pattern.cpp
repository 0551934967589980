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
  return rule_ == Rule::any || (rule_ == Rule::equal && value == text_) ||
         (rule_ == Rule::containing && value.find(text_) != std::string_view::npos);
}

std::ostream& operator<<(std::ostream& out, TextPattern::Rule value) {
  constexpr std::array<std::string_view, 4> texts{"equal", "containing", "any", "absent"};
  return tally::detail::printEnumerator(out, texts, static_cast<std::size_t>(value));
}

std::ostream& operator<<(std::ostream& out, const TextPattern& pattern) {
  using Rule = TextPattern::Rule;
  if (pattern.rule() == Rule::any) return out << "any value";
  if (pattern.rule() == Rule::absent) return out << "no value";
  return out << (pattern.rule() == Rule::containing ? "containing " : "") << quotedText(pattern.text());
}

std::ostream& operator<<(std::ostream& out, const NamedPattern& pattern) {
  std::string name;
  tally::detail::appendReadable(name, pattern.name);
  return out << name << " = " << detail::shownPattern(pattern);
}

}  // namespace tally::fake
