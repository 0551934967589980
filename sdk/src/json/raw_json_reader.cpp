#include "json/raw_json_reader.h"

#include <boost/json/basic_parser_impl.hpp>

#include "json/compact_json.h"
#include "json/json_events.h"
#include "json/raw_json_writer.h"

namespace tally::detail {

namespace {

class RawJsonHandler : public JsonEvents<RawJsonHandler> {
 public:
  explicit RawJsonHandler(std::string& out) : writer_(out) {}

  void open(char bracket) { writer_.open(bracket); }
  void close(char bracket) { writer_.close(bracket); }
  void key(std::string_view name) { writer_.key(name); }
  void string(std::string_view text) { writer_.string(text); }
  void number(std::string_view digits) { writer_.literal(digits); }
  void word(std::string_view word) { writer_.literal(word); }

 private:
  RawJsonWriter writer_;
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
