#include "postgres/connection_string.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string_view>

#include <libpq-fe.h>

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

}  // namespace tally::detail
