#include "pagination/last_object.h"

#include <cstddef>

namespace tally::detail {

namespace {

constexpr auto nowhere = std::string_view::npos;

bool opens(char c) {
  return c == '{' || c == '[';
}

bool closes(char c) {
  return c == '}' || c == ']';
}

/// The index of the quote that ends the string beginning at `quote`.
std::size_t closingQuote(std::string_view json, std::size_t quote) {
  std::size_t at = json.find_first_of("\"\\", quote + 1);
  while (at != nowhere && json[at] == '\\')
    at = json.find_first_of("\"\\", at + 2);
  return at;
}

/// Whether an odd number of backslashes precedes `at`.
bool escaped(std::string_view json, std::size_t at) {
  const std::size_t before = json.substr(0, at).find_last_not_of('\\');
  return (at - (before == nowhere ? 0 : before + 1)) % 2 == 1;
}

/// The index of the quote that begins the string ending at `quote`.
std::size_t openingQuote(std::string_view json, std::size_t quote) {
  std::size_t at = quote;
  do {
    at = at == 0 ? nowhere : json.rfind('"', at - 1);
  } while (at != nowhere && escaped(json, at));
  return at;
}

/// The index of the first array directly below the top level.
std::size_t beginOfArray(std::string_view json) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '[' && depth == 1) return at;
    if (c == '"') {
      at = closingQuote(json, at);
      if (at == nowhere) break;
    } else if (opens(c)) {
      ++depth;
    } else if (closes(c) && depth != 0) {
      --depth;
    }
  }
  return nowhere;
}

/// Searches `json` backwards for the first byte outside strings that satisfies `wanted`, which also receives
/// the number of brackets closed after that byte and not opened yet.
template <class Wanted>
std::size_t backTo(std::string_view json, Wanted wanted) {
  std::size_t depth = 0;
  for (std::size_t at = json.size(); at-- > 0;) {
    const char c = json[at];
    if (wanted(c, depth)) return at;
    if (c == '"') {
      at = openingQuote(json, at);
      if (at == nowhere) break;
    } else if (closes(c)) {
      ++depth;
    } else if (opens(c)) {
      if (depth == 0) break;
      --depth;
    }
  }
  return nowhere;
}

/// The end of the last array directly below the top level.
std::size_t endOfArray(std::string_view json) {
  return backTo(json, [](char c, std::size_t depth) { return c == ']' && depth == 1; });
}

/// The index of the comma or bracket before the last element of the array that ends at `end`.
std::size_t beforeLastElement(std::string_view json, std::size_t end) {
  return backTo(json.substr(0, end),
                [](char c, std::size_t depth) { return depth == 0 && (c == ',' || c == '['); });
}

}  // namespace

std::string withLastObjectOnly(std::string_view page) {
  const std::size_t end = endOfArray(page);
  if (end == nowhere) return {};
  const std::size_t before = beforeLastElement(page, end);
  const std::size_t begin = beginOfArray(page);
  if (before == nowhere || begin == nowhere || before < begin) return {};
  return std::string{page.substr(0, begin + 1)}.append(page.substr(before + 1));
}

}  // namespace tally::detail
