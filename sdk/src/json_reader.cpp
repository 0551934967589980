#include "json_reader.h"

#include <boost/json/basic_parser_impl.hpp>

#include "json_handler.h"

namespace tally::detail {

namespace {

/// As deep as anything that is kept as raw JSON may go.
constexpr std::size_t maxJsonDepth = 128;

std::optional<std::string> read(std::string_view json, const Struct& type, void* object, bool whole) {
  boost::json::parse_options options;
  options.max_depth = maxJsonDepth;
  boost::json::basic_parser<JsonHandler> parser{options, type, object, whole};
  boost::system::error_code failed;
  const std::size_t used = parser.write_some(false, json.data(), json.size(), failed);
  if (!failed && used == json.size()) return std::nullopt;
  if (!parser.handler().problem().empty()) return parser.handler().problem();
  return "not JSON at byte " + std::to_string(used) + (failed ? ": " + failed.message() : "");
}

}  // namespace

std::optional<std::string> readJson(std::string_view json, const Struct& type, void* object) {
  return read(json, type, object, true);
}

std::optional<std::string> mergeJson(std::string_view json, const Struct& type, void* object) {
  return read(json, type, object, false);
}

}  // namespace tally::detail
