#include "redact/redacted_json.h"

#include <algorithm>
#include <cstddef>

#include <boost/json/basic_parser_impl.hpp>

#include "json/json_events.h"
#include "json/raw_json_reader.h"
#include "json/raw_json_writer.h"
#include "text/escape_scan.h"

namespace tally::detail {

namespace {

class RedactingHandler : public JsonEvents<RedactingHandler> {
 public:
  RedactingHandler(std::string& out, const SecretNames& names, SecretTexts& secrets)
      : writer_(out), names_(names), secrets_(secrets) {}

  void open(char bracket) {
    if (!isSecret()) writer_.open(bracket);
    ++depth_;
  }
  void close(char bracket) {
    --depth_;
    isSecret() ? endSecret() : writer_.close(bracket);
  }
  void key(std::string_view name) {
    if (isSecret()) return;
    writer_.key(secrets_.redact(name));
    secretDepth_ = names_.contains(name) ? depth_ + 1 : 0;
  }
  void string(std::string_view text) {
    if (isSecret()) return secret(text);
    writer_.string(secrets_.redact(text));
  }
  void number(std::string_view digits) {
    if (isSecret()) return secret(digits);
    const std::string shown = secrets_.redact(digits);
    shown == digits ? writer_.literal(digits) : writer_.string(shown);
  }
  void word(std::string_view word) { isSecret() ? endSecret() : writer_.literal(word); }

 private:
  /// Whether the present value is that of a secret member, or a part of it.
  [[nodiscard]] bool isSecret() const noexcept { return secretDepth_ != 0; }

  void secret(std::string_view text) {
    secrets_.add(text);
    endSecret();
  }
  /// Writes the replacement when the value has ended, whatever its shape.
  void endSecret() {
    if (depth_ + 1 != secretDepth_) return;  // a part of it
    writer_.string(redacted);
    secretDepth_ = 0;
  }

  RawJsonWriter writer_;
  const SecretNames& names_;
  SecretTexts& secrets_;
  std::size_t depth_ = 0;        // of the present value: how many objects and lists contain it
  std::size_t secretDepth_ = 0;  // of the value of a secret member, plus 1; 0 outside of one
};

}  // namespace

bool appendRedactedJson(std::string& out, std::string_view json, const SecretNames& names,
                        SecretTexts& secrets) {
  boost::json::parse_options options;
  options.max_depth = maxRawDepth;
  boost::json::basic_parser<RedactingHandler> parser{options, out, names, secrets};
  boost::system::error_code failed;
  const std::size_t read = parser.write_some(false, json.data(), json.size(), failed);
  return !failed && json.find_first_not_of(" \t\r\n", read) == std::string_view::npos;
}

bool mayHaveSecretMember(std::string_view json, const SecretNames& names) {
  const char* const end = json.data() + json.size();
  for (const char* at = json.data();;) {
    at = std::find(at, end, '"');
    if (at == end) return false;
    const char* const begin = at + 1;
    const char* const close = endOfPlain<Charset::any>(begin, end);
    if (close == end) return false;  // text without an end is no name
    if (*close != '"') return true;
    at = std::find_if_not(close + 1, end,
                          [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
    if (at != end && *at == ':' && names.contains({begin, close})) return true;
  }
}

}  // namespace tally::detail
