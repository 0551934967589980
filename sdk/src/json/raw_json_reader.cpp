#include "json/raw_json_reader.h"

#include <cstdint>

#include <boost/json/basic_parser_impl.hpp>

#include "json/compact_json.h"
#include "json/raw_json_writer.h"

namespace tally::detail {

namespace {

/// Handles the events of boost::json::basic_parser, which may deliver keys, strings and numbers in parts.
class RawJsonHandler {
 public:
  using error_code = boost::system::error_code;

  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  explicit RawJsonHandler(std::string& out) : writer_(out) {}

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return writer_.open('{'), true; }
  bool on_object_end(std::size_t, error_code&) { return writer_.close('}'), true; }
  bool on_array_begin(error_code&) { return writer_.open('['), true; }
  bool on_array_end(std::size_t, error_code&) { return writer_.close(']'), true; }
  bool on_key_part(std::string_view part, std::size_t, error_code&) { return keep(part); }
  bool on_key(std::string_view last, std::size_t, error_code&) {
    keep(last);
    writer_.key(text_);
    return done();
  }
  bool on_string_part(std::string_view part, std::size_t, error_code&) { return keep(part); }
  bool on_string(std::string_view last, std::size_t, error_code&) {
    keep(last);
    writer_.string(text_);
    return done();
  }
  bool on_number_part(std::string_view part, error_code&) { return keep(part); }
  bool on_int64(std::int64_t, std::string_view last, error_code&) { return number(last); }
  bool on_uint64(std::uint64_t, std::string_view last, error_code&) { return number(last); }
  bool on_double(double, std::string_view last, error_code&) { return number(last); }
  bool on_bool(bool value, error_code&) { return writer_.literal(value ? "true" : "false"), true; }
  bool on_null(error_code&) { return writer_.literal("null"), true; }
  bool on_comment_part(std::string_view, error_code&) { return true; }
  bool on_comment(std::string_view, error_code&) { return true; }

 private:
  bool keep(std::string_view part) { return text_ += part, true; }
  bool done() { return text_.clear(), true; }
  bool number(std::string_view last) {
    keep(last);
    writer_.literal(text_);
    return done();
  }

  RawJsonWriter writer_;
  std::string text_{};
};

}  // namespace

std::size_t appendRawJson(std::string& out, std::string_view json, boost::system::error_code& failed,
                          std::size_t deepest) {
  if (const std::size_t length = compactLength(json, deepest); length != 0) {
    out += json.substr(0, length);
    return length;
  }
  boost::json::parse_options options;
  options.max_depth = deepest;
  boost::json::basic_parser<RawJsonHandler> parser{options, out};
  return parser.write_some(false, json.data(), json.size(), failed);
}

bool appendJsonText(std::string& out, std::string_view json) {
  boost::system::error_code failed;
  const std::size_t read = appendRawJson(out, json, failed);
  return !failed && json.find_first_not_of(" \t\r\n", read) == std::string_view::npos;
}

}  // namespace tally::detail
