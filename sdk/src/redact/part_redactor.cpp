#include "redact/part_redactor.h"

#include <algorithm>
#include <cstddef>

#include "redact/multipart.h"
#include "redact/redacted_json.h"
#include "text/ascii.h"
#include "text/find_header.h"
#include "text/url.h"

namespace tally::detail {

namespace {

/// Calls `visit` with each part of `text` between separators.
template <class Visit>
void forEachPart(std::string_view text, char separator, const Visit& visit) {
  for (;;) {
    const std::size_t end = std::min(text.find(separator), text.size());
    visit(text.substr(0, end));
    if (end == text.size()) return;
    text.remove_prefix(end + 1);
  }
}

/// Whether the media type of a body, which has no case, contains that part.
bool typeContains(const std::vector<Header>& headers, std::string_view part) {
  return !std::ranges::search(typeIn(headers), part, {}, asciiLower).empty();
}

}  // namespace

std::string_view typeIn(const std::vector<Header>& headers) {
  const std::string* const type = findHeader(headers, "Content-Type");
  return type == nullptr ? std::string_view{} : *type;
}

bool isJsonBody(const std::vector<Header>& headers, std::string_view body) {
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  const bool looksLikeJson = first != std::string_view::npos && (body[first] == '{' || body[first] == '[');
  return looksLikeJson || typeContains(headers, "json");
}

bool isFormBody(const std::vector<Header>& headers) {
  return typeContains(headers, "x-www-form-urlencoded");
}

bool isMultipartBody(const std::vector<Header>& headers) {
  return startsIgnoringCase(typeIn(headers), "multipart/form-data");
}

std::string PartRedactor::url(std::string_view url) {
  constexpr std::string_view separators = "?#";  // before a query, and a fragment in the same form
  std::size_t end = std::min(url.find_first_of(separators), url.size());
  const std::string address = secrets_.redact(withoutCredentials(url.substr(0, end)));
  const std::size_t origin = endOfAuthority(address);
  std::string shown = address.substr(0, origin) + path(std::string_view{address}.substr(origin));
  while (end < url.size()) {
    shown += url[end];
    url.remove_prefix(end + 1);
    end = std::min(url.find_first_of(separators), url.size());
    shown += form(url.substr(0, end));
  }
  return shown;
}

std::string PartRedactor::path(std::string_view path) const {
  std::string shown;
  forEachPart(path, '/', [&](std::string_view segment) {
    if (segment.data() != path.data()) shown += '/';
    const auto decoded = percentDecode(segment);
    shown += decoded && secrets_.redact(*decoded) == *decoded ? segment : redacted;
  });
  return shown;
}

std::string PartRedactor::form(std::string_view pairs) {
  std::string shown;
  forEachPart(pairs, '&', [&](std::string_view each) {
    if (each.data() != pairs.data()) shown += '&';
    shown += pair(each);
  });
  return shown;
}

std::string PartRedactor::pair(std::string_view pair) {
  const std::size_t equals = std::min(pair.find('='), pair.size());
  const auto name = formDecode(pair.substr(0, equals));
  if (!name || secrets_.redact(*name) != *name) return std::string{redacted};
  if (equals == pair.size()) return std::string{pair};
  std::string shown{pair.substr(0, equals + 1)};
  const auto value = formDecode(pair.substr(equals + 1));
  if (!value) return shown += redacted;
  const bool isSecret = names_.contains(*name);
  if (isSecret) secrets_.add(*value);
  return shown += isSecret || secrets_.redact(*value) != *value ? redacted : pair.substr(equals + 1);
}

/// The names of parts and files may contain secrets, too.
std::optional<std::string> PartRedactor::multipart(std::string_view type, std::string_view body) {
  const auto shown = withParts(type, body, [this](std::string_view name, std::string_view contents) {
    if (names_.contains(name)) {
      secrets_.add(contents);
      return std::string{redacted};
    }
    return isJsonBody({}, contents) ? json(contents).value_or(std::string{redacted}) : std::string{contents};
  });
  return shown ? std::optional{secrets_.redact(*shown)} : std::nullopt;
}

std::optional<std::string> PartRedactor::json(std::string_view text) {
  std::string shown;
  if (!appendRedactedJson(shown, text, names_, secrets_)) return std::nullopt;
  return shown;
}

}  // namespace tally::detail
