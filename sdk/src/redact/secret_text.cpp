#include "redact/secret_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>

#include "redact/recorded_keys.h"
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
constexpr std::string_view keyPrefixes[] = {"sk_", "rk_", "oat_", "whsec_"};
constexpr std::string_view schemes[] = {"bearer ", "basic "};

/// Whether a character of a name belongs to its plain form.
constexpr bool isPlainCharacter(char c) {
  return c != '_' && c != '-';
}

/// Where the last two characters of a plain name are in a NameEndings, in which names may collide.
constexpr std::size_t endingOf(std::string_view name) {
  constexpr unsigned bits = 0x1F;  // which upper and lower case share
  std::size_t place = 0;
  int left = 2;
  for (std::size_t i = name.size(); i-- > 0 && left > 0;) {
    if (!isPlainCharacter(name[i])) continue;
    place = place << 5U | (static_cast<unsigned char>(name[i]) & bits);
    --left;
  }
  return place;
}

/// A form has '+' in place of a space.
std::string inForm(std::string_view encoded) {
  constexpr std::string_view space = "%20";
  std::string form;
  for (std::size_t at = encoded.find(space); at != std::string_view::npos; at = encoded.find(space)) {
    form.append(encoded, 0, at) += '+';
    encoded.remove_prefix(at + space.size());
  }
  return form.append(encoded);
}

/// What the search needs to know of each character, which it asks for every one.
struct Characters {
  std::array<bool, 256> inWord{};
  std::array<bool, 256> mayBegin{};  // a secret of a known form

  constexpr Characters() {
    for (std::size_t i = 0; i < inWord.size(); ++i) {
      const auto c = static_cast<char>(i);
      const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      const bool isDigitOrLetter = (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z');
      inWord[i] = isDigitOrLetter || c == '_';
      mayBegin[i] = (c >= '0' && c <= '9') || std::string_view{"srwob"}.find(lower) != std::string_view::npos;
    }
  }
};
constexpr Characters characters;

bool isWordCharacter(char c) {
  return characters.inWord[static_cast<unsigned char>(c)];
}

/// Without case, `_` and `-`, so that `api_key`, `Api-Key` and `apiKey` are one name.
std::string plainName(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (isPlainCharacter(c)) plain += asciiLower(c);
  return plain;
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
  for (std::size_t i = 0; i < text.size() && digits.size() <= longest; ++i) {
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

/// A recording keeps ordinary words, such as those of a `Basic plan`, and gives a key its name.
bool isRecordedAsText(std::string_view credentials) {
  constexpr std::size_t longestWord = 15;
  return credentials.size() <= longestWord || keySize(credentials) != 0;
}

}  // namespace

SecretNames::SecretNames(const std::vector<std::string>& more) {
  for (const std::string_view name : secretNames)
    endings_.set(endingOf(name));
  for (const std::string_view name : secretEndings)
    endings_.set(endingOf(name));
  for (const std::string& name : more) {
    more_.push_back(plainName(name));
    endings_.set(endingOf(name));
  }
}

bool SecretNames::contains(std::string_view name) const {
  const auto isBracket = [](char c) { return c == '[' || c == ']'; };
  while (!name.empty()) {
    const auto end = static_cast<std::size_t>(std::ranges::find_if(name, isBracket) - name.begin());
    if (containsPart(name.substr(0, end))) return true;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}

bool SecretNames::containsPart(std::string_view part) const {
  if (!endings_[endingOf(part)]) return false;  // nearly all names
  const std::string name = plainName(part);
  if (name.empty()) return false;
  return std::ranges::find(secretNames, name) != std::end(secretNames) ||
         std::ranges::any_of(secretEndings, [&](std::string_view end) { return name.ends_with(end); }) ||
         std::ranges::find(more_, name) != more_.end();
}

void SecretTexts::add(std::string_view secret, std::string_view replacement) {
  if (hasTooMany()) return;
  if (secret.size() < shortest_ || std::ranges::find(added_, secret, &Added::text) != added_.end()) return;
  const auto keep = [&](std::string_view text) {
    added_.push_back({std::string{text}, std::string{replacement}});
    beginnings_[static_cast<unsigned char>(text.front())] = true;
  };
  std::string encoded;
  percentEncode(encoded, secret);
  if (encoded != secret) keep(encoded);
  if (const std::string form = inForm(encoded); form != encoded) keep(form);
  keep(secret);
  std::ranges::sort(added_, std::greater{}, [](const Added& each) { return each.text.size(); });
}

std::string SecretTexts::redact(std::string_view text) const {
  if (hasTooMany() && !text.empty()) return std::string{redacted};
  std::string out;
  std::size_t copied = 0;
  bool inWord = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (beginnings_[c] || (!inWord && characters.mayBegin[c])) {
      std::string replacement;
      const std::size_t size = appendReplacement(replacement, text.substr(at), inWord);
      if (size != 0) {
        out.append(text, copied, at - copied) += replacement;
        copied = at += size;
        inWord = false;
        continue;
      }
    }
    inWord = characters.inWord[c];
    ++at;
  }
  return out.append(text, copied);
}

std::size_t SecretTexts::appendReplacement(std::string& out, std::string_view text, bool inWord) const {
  const std::size_t size = appendKnown(out, text);
  return size != 0 || inWord ? size : appendRecognized(out, text);
}

std::size_t SecretTexts::appendKnown(std::string& out, std::string_view text) const {
  for (const Added& each : added_) {
    if (!text.starts_with(each.text)) continue;
    out += each.replacement;
    return each.text.size();
  }
  return 0;
}

std::size_t SecretTexts::appendRecognized(std::string& out, std::string_view text) const {
  if (const std::size_t size = keySize(text); size != 0) {
    out += keys_ == nullptr ? std::string{redacted} : keys_->nameOf(text.substr(0, size));
    return size;
  }
  if (const std::size_t size = cardSize(text); size != 0) {
    out += redacted;
    return size;
  }
  const std::size_t scheme = schemeSize(text);
  if (scheme == 0) return 0;
  const std::size_t end = std::min(text.find_first_of(" \t\r\n\"',;", scheme), text.size());
  if (keys_ != nullptr && isRecordedAsText(text.substr(scheme, end - scheme))) return 0;
  out.append(text, 0, scheme) += redacted;
  return end;
}

}  // namespace tally::detail
