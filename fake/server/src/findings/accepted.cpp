#include "findings/accepted.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "text/ascii.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view blanks = " \t\r";

/// Without the comment, and the blanks around the rest.
std::string_view contentOf(std::string_view line) {
  return tally::detail::trimmed(line.substr(0, line.find('#')), blanks);
}

/// Identifiers have a kind, a colon and no blanks.
bool isIdentifier(std::string_view text) {
  return text.find(':') != std::string_view::npos && text.find_first_of(blanks) == std::string_view::npos;
}

}  // namespace

Accepted::Accepted(std::string_view text) {
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    const std::string_view entry = contentOf(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (entry.empty()) continue;
    if (!isIdentifier(entry))
      throw std::invalid_argument{"line " + std::to_string(number) + ": '" + std::string{entry} +
                                  "' is not the identifier of a difference, such as " +
                                  "'missing:payment_record.description'"};
    if (std::ranges::find(entries_, entry) == entries_.end()) entries_.emplace_back(entry);
  }
}

bool Accepted::accepts(std::string_view id) {
  if (std::ranges::find(entries_, id) == entries_.end()) return false;
  met_.emplace(id);
  return true;
}

std::vector<std::string> Accepted::gone() const {
  std::vector<std::string> missing;
  std::ranges::copy_if(entries_, std::back_inserter(missing),
                       [&](const std::string& entry) { return !met_.contains(entry); });
  return missing;
}

}  // namespace tally::fake::detail
