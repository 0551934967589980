#include "redaction.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "ascii.h"

namespace tally::detail {

namespace {

constexpr std::string_view placeholder = "[key]";

/// What follows the scheme in `Authorization`; empty if there is nothing.
std::string_view keyOf(const HttpRequest& request) {
  for (const Header& header : request.headers)
    if (equalIgnoringCase(header.name, "Authorization"))
      return std::string_view{header.value}.substr(header.value.find(' ') + 1);
  return {};
}

void redact(std::string& text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + placeholder.size()))
    text.replace(at, key.size(), placeholder);
}

}  // namespace

Error withoutKey(const Error& error, const HttpRequest& request) {
  const std::string_view key = keyOf(request);
  if (key.empty()) return error;
  Error::Details details = error.details();
  for (std::string* text :
       {&details.type, &details.code, &details.message, &details.param, &details.requestId})
    redact(*text, key);
  if (details.rateLimitedReason) {
    std::string reason{details.rateLimitedReason->str()};
    redact(reason, key);
    details.rateLimitedReason = OpenEnum<RateLimitedReason>{std::move(reason)};
  }
  return Error{std::move(details)};
}

std::string withoutKey(std::string text, const HttpRequest& request) {
  if (const std::string_view key = keyOf(request); !key.empty()) redact(text, key);
  return text;
}

}  // namespace tally::detail
