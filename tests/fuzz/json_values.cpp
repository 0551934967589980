// The fake's document, the client's compact text and Boost.JSON accept the same texts of values, and find the
// same value in them; the document keeps the spelling of each number and text.
#include <optional>
#include <string>

#include "fuzz.h"
#include "json/raw_json_reader.h"
#include "request/json_document.h"

namespace tally::fuzz {

namespace {

using fake::detail::JsonDocument;
using fake::detail::JsonMember;
using fake::detail::JsonValue;
using Json = boost::json::value;

/// The value, put together from what its parts say.
Json toldBy(const JsonValue& value) {
  if (value.isString()) {
    const std::string text = value.string();
    require(value.is(text), "a text is itself");
    return Json(text);
  }
  if (value.isArray()) {
    boost::json::array array;
    for (const JsonValue element : value.elements())
      array.push_back(toldBy(element));
    return array;
  }
  if (value.isObject()) {
    boost::json::object object;
    for (const JsonMember member : value.members())
      object[member.name.string()] = toldBy(member.value);
    return object;
  }
  if (value.isBoolean()) return value.boolean();
  if (value.isNull()) return nullptr;
  require(value.isNumber(), "a value is of one kind");
  const Json number = parsedJson(value.text()).value();
  if (const auto integer = value.integer()) require(number == Json(*integer), "an integer is its text");
  return number;
}

}  // namespace

void test(std::string_view input) {
  const auto json = parsedJson(input, fake::detail::deepestJson);
  const JsonDocument document{input};
  require(document.problem().has_value() != json.has_value(), "the document accepts what Boost.JSON accepts");
  if (const auto& problem = document.problem())
    require(!problem->what.empty() && problem->offset <= input.size(),
            "a problem has a description and a place");
  if (json) require(toldBy(document.root()) == *json, "the document has the value that Boost.JSON parses");

  std::string compact;
  const bool isRead = detail::appendJsonText(compact, input);
  require(isRead == parsedJson(input, detail::maxRawDepth).has_value(),
          "texts are accepted if Boost.JSON accepts them");
  if (isRead && json) require(compact == document.root().text(), "both write the same compact text");
  if (isRead)
    require(parsedJson(compact, detail::maxRawDepth) == parsedJson(input, detail::maxRawDepth),
            "the text keeps its value");
  std::string again;
  if (isRead)
    require(detail::appendJsonText(again, compact) && again == compact, "a compact text stays the same");
}

}  // namespace tally::fuzz
