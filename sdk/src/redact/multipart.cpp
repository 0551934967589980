#include "redact/multipart.h"

#include <algorithm>

#include "text/ascii.h"

namespace tally::detail {

namespace {

constexpr std::string_view lineBreak = "\r\n";
constexpr std::string_view headEnd = "\r\n\r\n";

/// The value of a parameter in a header, such as `name` in `form-data; name="a"`; empty if there is none.
std::string_view parameterIn(std::string_view header, std::string_view name) {
  for (std::size_t at = header.find(';'); at < header.size(); at = header.find(';', at)) {
    ++at;
    at = std::min(header.find_first_not_of(" \t", at), header.size());
    std::string_view rest = header.substr(at);
    if (rest.size() <= name.size() || rest[name.size()] != '=' ||
        !equalIgnoringCase(rest.substr(0, name.size()), name))
      continue;
    rest.remove_prefix(name.size() + 1);
    if (!rest.starts_with('"')) return rest.substr(0, rest.find_first_of("; \t\r\n"));
    return rest.substr(1, rest.find('"', 1) - 1);
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
  const std::string delimiter = "--" + std::string{boundary};
  if (boundary.empty() || !body.starts_with(delimiter)) return std::nullopt;
  std::string out = delimiter;
  body.remove_prefix(delimiter.size());
  while (!body.starts_with("--")) {
    const std::size_t head = body.find(headEnd);
    const std::size_t end = body.find(std::string{lineBreak} + delimiter, head);
    if (!body.starts_with(lineBreak) || end == std::string_view::npos) return std::nullopt;
    const std::size_t begin = head + headEnd.size();
    const std::size_t contentsEnd = std::max(begin, end);
    out += body.substr(0, begin);
    out += replace(nameIn(body.substr(lineBreak.size(), head)), body.substr(begin, contentsEnd - begin));
    (out += lineBreak) += delimiter;
    body.remove_prefix(end + lineBreak.size() + delimiter.size());
  }
  return out + replace({}, body);
}

}  // namespace tally::detail
