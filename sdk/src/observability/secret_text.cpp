#include "observability/secret_text.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>

#include "text/ascii.h"
#include "text/url.h"

namespace tally::detail {

namespace {

/// Names in the form of plainName().
constexpr std::string_view secretNames[] = {
    "authorization", "key",      "pin",      "number",  "pan",           "cvc",          "cvv",
    "cvc2",          "cvv2",     "expmonth", "expyear", "expiry",        "trackdata",    "iban",
    "accountnumber", "sortcode", "cookie",   "bic",     "routingnumber", "securitycode", "signature",
};
constexpr std::string_view secretEndings[] = {"secret",     "token",      "password",   "passwd",
                                              "apikey",     "accesskey",  "privatekey", "cardnumber",
                                              "credential", "credentials"};
constexpr std::string_view keyPrefixes[] = {"sk_", "rk_", "whsec_"};
constexpr std::string_view schemes[] = {"bearer ", "basic "};

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

bool isWordCharacter(char c) {
  const char lower = asciiLower(c);
  return isDigit(c) || (lower >= 'a' && lower <= 'z') || c == '_';
}

/// Without case, `_` and `-`, so that `api_key`, `Api-Key` and `apiKey` are one name.
std::string plainName(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (c != '_' && c != '-') plain += asciiLower(c);
  return plain;
}

bool startsIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && equalIgnoringCase(text.substr(0, lower.size()), lower);
}

/// The size of the secret API key at the beginning of `text`; 0 if there is none.
std::size_t keySize(std::string_view text) {
  for (const std::string_view prefix : keyPrefixes) {
    if (!startsIgnoringCase(text, prefix)) continue;
    const auto end = std::ranges::find_if_not(text, isWordCharacter);
    const auto size = static_cast<std::size_t>(end - text.begin());
    return size > prefix.size() ? size : 0;
  }
  return 0;
}

/// The size of the scheme at the beginning of `text`, after which credentials follow; 0 if there is none.
std::size_t schemeSize(std::string_view text) {
  for (const std::string_view scheme : schemes)
    if (startsIgnoringCase(text, scheme)) return scheme.size();
  return 0;
}

bool hasCheckDigit(std::string_view digits) {
  int sum = 0;
  bool doubled = false;
  for (std::size_t i = digits.size(); i-- > 0; doubled = !doubled) {
    const int digit = digits[i] - '0';
    const int weighted = doubled ? 2 * digit : digit;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 == 0;
}

/// The size of the card number at the beginning of `text`, whose groups may be separated; 0 if there is none.
std::size_t cardSize(std::string_view text) {
  constexpr std::size_t shortest = 13;
  constexpr std::size_t longest = 19;
  std::string digits;
  std::size_t size = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (isDigit(text[i])) {
      digits += text[i];
      size = i + 1;
    } else if ((text[i] != ' ' && text[i] != '-') || i != size) {
      break;  // two separators, or another character
    }
  }
  const bool isWord = size < text.size() && isWordCharacter(text[size]);
  const bool fits = digits.size() >= shortest && digits.size() <= longest;
  return fits && !isWord && hasCheckDigit(digits) ? size : 0;
}

/// Appends what is at the beginning of a word of `text`, if it is secret, and returns its size; 0 otherwise.
std::size_t appendSecret(std::string& out, std::string_view text) {
  const std::size_t size = std::max(keySize(text), cardSize(text));
  if (size != 0) {
    out += redacted;
    return size;
  }
  const std::size_t scheme = schemeSize(text);
  if (scheme == 0) return 0;
  const std::size_t end = std::min(text.find_first_of(" \t\r\n\"',;", scheme), text.size());
  out.append(text, 0, scheme) += redacted;
  return end;
}

}  // namespace

SecretNames::SecretNames(const std::vector<std::string>& more) {
  for (const std::string& name : more)
    more_.push_back(plainName(name));
}

bool SecretNames::contains(std::string_view name) const {
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("[]"), name.size());
    if (containsPart(name.substr(0, end))) return true;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}

bool SecretNames::containsPart(std::string_view part) const {
  const std::string name = plainName(part);
  if (name.empty()) return false;
  return std::ranges::find(secretNames, name) != std::end(secretNames) ||
         std::ranges::any_of(secretEndings, [&](std::string_view end) { return name.ends_with(end); }) ||
         std::ranges::find(more_, name) != more_.end();
}

void SecretTexts::add(std::string_view secret) {
  constexpr std::size_t shortest = 3;
  if (secret.size() < shortest) return;
  std::string encoded;
  percentEncode(encoded, secret);
  if (encoded != secret) secrets_.push_back(std::move(encoded));
  secrets_.emplace_back(secret);
  std::ranges::sort(secrets_, std::greater{}, &std::string::size);
}

std::string SecretTexts::redact(std::string_view text) const {
  std::string out;
  out.reserve(text.size());
  bool inWord = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t size = appendKnown(out, rest);
    if (size == 0 && !inWord) size = appendSecret(out, rest);
    if (size == 0) out += rest.front();
    inWord = size == 0 && isWordCharacter(rest.front());
    at += std::max<std::size_t>(size, 1);
  }
  return out;
}

std::size_t SecretTexts::appendKnown(std::string& out, std::string_view text) const {
  for (const std::string& secret : secrets_) {
    if (!text.starts_with(secret)) continue;
    out += redacted;
    return secret.size();
  }
  return 0;
}

}  // namespace tally::detail
