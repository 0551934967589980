#include "postgres/connection_string.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <stdexcept>
#include <string_view>

#include "postgres/postgres_array.h"

namespace tally::detail {

namespace {

/// libpq takes any other text for the name of a database.
bool hasOptions(std::string_view text) {
  return text.starts_with("postgresql://") || text.starts_with("postgres://") ||
         text.find('=') != std::string_view::npos;
}

/// As in a URL that lacks its scheme.
bool isName(std::string_view text) {
  return text.find_first_of(":@/") == std::string_view::npos;
}

/// Paths and the names of abstract sockets begin with `/` and `@`.
bool isHost(std::string_view host) {
  return host.starts_with('/') || host.find('@', 1) == std::string_view::npos;
}

bool isPort(std::string_view port) {
  return port.find_first_not_of("0123456789 ") == std::string_view::npos;
}

bool isPlausible(const PQconninfoOption& option) {
  const std::string_view keyword = option.keyword;
  const auto elements = elementsOf(option.val == nullptr ? "" : option.val);
  if (keyword == "host") return std::ranges::all_of(elements, isHost);
  return keyword != "port" || std::ranges::all_of(elements, isPort);
}

bool isReadable(const std::string& text) {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options{
      PQconninfoParse(text.c_str(), nullptr), &PQconninfoFree};
  if (options == nullptr) return false;
  for (const PQconninfoOption* one = options.get(); one->keyword != nullptr; ++one)
    if (!isPlausible(*one)) return false;
  return true;
}

}  // namespace

void checkConnectionString(const std::string& text) {
  if (hasOptions(text) ? isReadable(text) : isName(text)) return;
  throw std::invalid_argument{
      "the database must be postgresql://user@host/name or another connection string of libpq; in a URL, "
      "write the special characters of a password as %25 for '%' and %40 for '@'"};
}

/// `dbname` is the whole string. It replaces the options before it, but not the one after it.
OwnConnection openConnection(const std::string& text, std::span<const ConnectionOption> defaults) {
  constexpr std::size_t mostDefaults = 4;
  assert(defaults.size() <= mostDefaults);
  std::array<const char*, mostDefaults + 3> keywords{};
  std::array<const char*, mostDefaults + 3> values{};
  std::size_t count = 0;
  const auto add = [&](const ConnectionOption& option) {
    keywords[count] = option.keyword;
    values[count++] = option.value;
  };
  std::ranges::for_each(defaults, add);
  add({"dbname", text.c_str()});
  add({"client_encoding", "UTF8"});
  OwnConnection made{PQconnectdbParams(keywords.data(), values.data(), 1)};
  PQsetNoticeProcessor(made.get(), [](void*, const char*) {}, nullptr);
  return made;
}

}  // namespace tally::detail
