#include "redact/multipart.h"

#include <algorithm>

#include "text/ascii.h"

namespace tally::detail {

namespace {

constexpr std::string_view lineBreak = "\r\n";
constexpr std::string_view headEnd = "\r\n\r\n";

/// The end of the parameter at the beginning of `text`: a semicolon outside of quotes, or the end of the
/// text.
std::size_t endOfParameter(std::string_view text) {
  bool isQuoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (isQuoted && text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      isQuoted = !isQuoted;
    } else if (text[at] == ';' && !isQuoted) {
      return at;
    }
  }
  return text.size();
}

std::string_view unquoted(std::string_view text) {
  if (!text.starts_with('"')) return text;
  return text.substr(1, text.size() - (text.size() > 1 && text.ends_with('"') ? 2 : 1));
}

/// The value of a parameter in a header, such as `name` in `form-data; name="a"`; empty if there is none.
std::string_view parameterIn(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::size_t end = endOfParameter(header);
    const std::string_view parameter = header.substr(0, end);
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    if (equals < parameter.size() && equalIgnoringCase(trimmed(parameter.substr(0, equals)), name))
      return unquoted(trimmed(parameter.substr(equals + 1)));
    header.remove_prefix(std::min(end + 1, header.size()));
  }
  return {};
}

std::string_view nameIn(std::string_view head) {
  constexpr std::string_view disposition = "content-disposition:";
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find(lineBreak));
    if (startsIgnoringCase(line, disposition)) return parameterIn(line, "name");
    head.remove_prefix(std::min(line.size() + lineBreak.size(), head.size()));
  }
  return {};
}

}  // namespace

std::optional<std::string> withParts(
    std::string_view type, std::string_view body,
    const std::function<std::string(std::string_view name, std::string_view contents)>& replace) {
  const std::string_view boundary = parameterIn(type, "boundary");
  const std::string delimiter = "\r\n--" + std::string{boundary};
  const std::string_view first = std::string_view{delimiter}.substr(lineBreak.size());
  if (boundary.empty() || !body.starts_with(first)) return std::nullopt;
  std::string out{first};
  body.remove_prefix(first.size());
  while (!body.starts_with("--")) {
    const std::size_t end = body.find(delimiter);
    if (end == std::string_view::npos || !body.starts_with(lineBreak)) return std::nullopt;
    const std::string_view part = body.substr(0, end + lineBreak.size());
    const std::size_t head = part.find(headEnd);
    if (head == std::string_view::npos) return std::nullopt;
    const std::size_t begin = head + headEnd.size();
    out += part.substr(0, begin);
    out += replace(nameIn(part.substr(0, head)), part.substr(begin, std::max(begin, end) - begin));
    out += delimiter;
    body.remove_prefix(end + delimiter.size());
  }
  return out + replace({}, body);
}

}  // namespace tally::detail
