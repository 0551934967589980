#include "redact/redacted_json.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <boost/json/basic_parser_impl.hpp>

#include "json/raw_json_reader.h"
#include "json/raw_json_writer.h"
#include "text/escape_scan.h"

namespace tally::detail {

namespace {

/// Handles the events of boost::json::basic_parser, which may deliver keys, strings and numbers in parts.
class RedactingHandler {
 public:
  using error_code = boost::system::error_code;

  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  RedactingHandler(std::string& out, const SecretNames& names, SecretTexts& secrets)
      : writer_(out), names_(names), secrets_(secrets) {}

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return open('{'); }
  bool on_object_end(std::size_t, error_code&) { return close('}'); }
  bool on_array_begin(error_code&) { return open('['); }
  bool on_array_end(std::size_t, error_code&) { return close(']'); }
  bool on_key_part(std::string_view part, std::size_t, error_code&) { return keep(part); }
  bool on_key(std::string_view last, std::size_t, error_code&) {
    keep(last);
    if (!isSecret()) {
      writer_.key(secrets_.redact(text_));
      secretDepth_ = names_.contains(text_) ? depth_ + 1 : 0;
    }
    return done();
  }
  bool on_string_part(std::string_view part, std::size_t, error_code&) { return keep(part); }
  bool on_string(std::string_view last, std::size_t, error_code&) {
    keep(last);
    if (isSecret()) return secret();
    writer_.string(secrets_.redact(text_));
    return done();
  }
  bool on_number_part(std::string_view part, error_code&) { return keep(part); }
  bool on_int64(std::int64_t, std::string_view last, error_code&) { return number(last); }
  bool on_uint64(std::uint64_t, std::string_view last, error_code&) { return number(last); }
  bool on_double(double, std::string_view last, error_code&) { return number(last); }
  bool on_bool(bool value, error_code&) { return word(value ? "true" : "false"); }
  bool on_null(error_code&) { return word("null"); }
  bool on_comment_part(std::string_view, error_code&) { return true; }
  bool on_comment(std::string_view, error_code&) { return true; }

 private:
  /// Whether the present value is that of a secret member, or a part of it.
  [[nodiscard]] bool isSecret() const noexcept { return secretDepth_ != 0; }

  bool open(char bracket) {
    if (!isSecret()) writer_.open(bracket);
    ++depth_;
    return true;
  }
  bool close(char bracket) {
    --depth_;
    if (!isSecret()) {
      writer_.close(bracket);
    } else {
      endSecret();
    }
    return true;
  }
  /// Writes the replacement when the value has ended, whatever its shape.
  void endSecret() {
    if (depth_ + 1 != secretDepth_) return;  // a part of it
    writer_.string(redacted);
    secretDepth_ = 0;
  }
  bool secret() {
    secrets_.add(text_);
    endSecret();
    return done();
  }
  bool word(std::string_view text) {
    if (isSecret()) {
      endSecret();
    } else {
      writer_.literal(text);
    }
    return true;
  }
  bool keep(std::string_view part) { return text_ += part, true; }
  bool done() { return text_.clear(), true; }
  bool number(std::string_view last) {
    keep(last);
    if (isSecret()) return secret();
    const std::string shown = secrets_.redact(text_);
    shown == text_ ? writer_.literal(text_) : writer_.string(shown);
    return done();
  }

  RawJsonWriter writer_;
  const SecretNames& names_;
  SecretTexts& secrets_;
  std::string text_{};
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
