#include "request/json_document.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "json/raw_json_reader.h"

namespace tally::fake::detail {

namespace {

std::string textOf(std::string_view json) {
  return std::string{JsonDocument{json}.root().text()};
}

JsonProblem problemOf(std::string_view json, std::size_t deepest = deepestJson) {
  return JsonDocument{json, deepest}.problem().value_or(JsonProblem{.what = "none"});
}

/// What is in a value, found by walking through it.
std::string walked(const JsonValue& value) {
  std::string text;
  if (value.isObject()) {
    for (const auto& [name, member] : value.members())
      text += (text.empty() ? "" : ",") + std::string{name.text()} + ':' + walked(member);
    return '{' + text + '}';
  }
  if (value.isArray()) {
    for (const JsonValue& element : value.elements())
      text += (text.empty() ? "" : ",") + walked(element);
    return '[' + text + ']';
  }
  return std::string{value.text()};
}

TEST(JsonDocument, KeepsNumbersAsWrittenAndDropsWhitespace) {
  EXPECT_EQ(textOf(R"( { "a" : [ 1.10 , -0 , 1E+05 ] , "b" : "\u00e4\/" , "a" : null } )"),
            R"({"a":[1.10,-0,1E+05],"b":"ä/","a":null})");
  EXPECT_EQ(textOf("12345678901234567890123456789"), "12345678901234567890123456789");
}

TEST(JsonDocument, TraversesEveryValue) {
  for (const std::string json :
       {R"({})", R"([])", R"([[],{},[{}],""])", R"({"a":{"b":[1,{"c":[]},"]}"],"d":true},"e":"\"\\"})",
        R"({"":{"":""}})", R"(["\\","\"",",",":"])", "null", "-1.5e3", R"("\\\"")"}) {
    const JsonDocument document{json};
    ASSERT_FALSE(document.problem()) << json;
    EXPECT_EQ(walked(document.root()), json);
  }
}

TEST(JsonDocument, DistinguishesKindsOfValues) {
  const JsonDocument document{R"(["a\n",true,false,null,7,-0,1.5,[],{}])"};
  std::string kinds;
  for (const JsonValue& value : document.root().elements()) {
    kinds += value.isString()    ? 's'
             : value.isBoolean() ? 'b'
             : value.isNull()    ? 'n'
             : value.isNumber()  ? '1'
                                 : '-';
    kinds += value.isArray() ? "a" : value.isObject() ? "o" : "";
  }
  EXPECT_EQ(kinds, "sbbn111-a-o");
  EXPECT_EQ((*document.root().elements().begin()).string(), "a\n");
  EXPECT_TRUE((*document.root().elements().begin()).is("a\n"));
  EXPECT_FALSE((*document.root().elements().begin()).is("a\\n"));
}

TEST(JsonDocument, ReturnsOnlyNumbersThatFitTheirType) {
  const auto integer = [](std::string_view json) { return JsonDocument{json}.root().integer(); };
  EXPECT_EQ(integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* other : {"9223372036854775808", "1.0", "1e3", "\"1\"", "true", "null", "[]"})
    EXPECT_EQ(integer(other), std::nullopt) << other;
  const auto number = [](std::string_view json) { return JsonDocument{json}.root().number(); };
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number("123456789.123456789"), 123456789.123456789);
  for (const char* other : {"1e400", "\"1\"", "\"inf\"", "null", "{}"})
    EXPECT_EQ(number(other), std::nullopt) << other;
}

TEST(JsonDocument, ReportsThePositionOfInvalidJson) {
  EXPECT_EQ(problemOf("{}").what, "none");
  for (const auto& [json, offset] :
       std::vector<std::pair<std::string, std::size_t>>{{"", 0},
                                                        {"{\"a\":1,}", 7},
                                                        {"{} x", 3},
                                                        {"[1 2]", 3},
                                                        {"\"\xFF\"", 1},
                                                        {"nul", 3},
                                                        {std::string{"{}\0", 3}, 2}}) {
    const JsonProblem problem = problemOf(json);
    EXPECT_NE(problem.what, "none") << json;
    EXPECT_FALSE(problem.tooDeep);
    EXPECT_EQ(problem.offset, std::min(offset, json.size())) << json;
  }
}

TEST(JsonDocument, ReportsThePositionOfExcessiveNesting) {
  EXPECT_EQ(problemOf("[[1]]", 2).what, "none");
  const JsonProblem problem = problemOf(R"({"x":[{"y":1}],"a":[0,{"\"":1,"c":[3,"]",[]]}]})", 4);
  EXPECT_TRUE(problem.tooDeep);
  EXPECT_EQ(problem.what, "nested more than 4 levels deep");
  EXPECT_EQ(problem.path(), "a[1].c[2]");
  EXPECT_EQ(problemOf(std::string(100'000, '['), 20).path(), "[0][0][0][0][0][0][0][0][0][0][0][0]...");
  EXPECT_EQ(problemOf("{", 0).path(), "");
}

TEST(JsonDocument, FindsDuplicateNames) {
  const auto repeated = [](std::string_view json) { return repeatedName(JsonDocument{json}.root()); };
  EXPECT_EQ(repeated(R"({"a":1,"b":[{"a":1},{"a":2}],"c":{"a":{}}})"), std::nullopt);
  EXPECT_EQ(repeated(R"([1,"a","a"])"), std::nullopt);
  EXPECT_EQ(repeated(R"({"a":1,"b":2,"a":3})"), "a");
  EXPECT_EQ(repeated(R"({"\u0061":1,"a":3})"), "a") << "the same name";
  EXPECT_EQ(repeated(R"([{},{"x":{"y":[0,{"b\n":1,"b\n":2}]}}])"), "[1].x.y[1].b\\n");
  EXPECT_EQ(repeatedMember(JsonDocument{R"({"a":{"b":1,"b":2}})"}.root()), std::nullopt);
}

TEST(JsonDocument, CanBeMoved) {
  JsonDocument document{"[1]"};
  const JsonDocument moved = std::move(document);
  EXPECT_EQ(walked(moved.root()), "[1]");
}

std::string anyJson(int levels) {
  static const std::vector<std::string> scalars{"1",     "-0.50",        "true",    "null",
                                                R"("")", R"("a\"]},:")", R"("ü\\")"};
  const int kind = levels == 0 ? 0 : *rc::gen::inRange(0, 3);
  if (kind == 0) return scalars[*rc::gen::inRange<std::size_t>(0, scalars.size())];
  std::string text;
  for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
    if (!text.empty()) text += ',';
    if (kind == 1) text += "\"k" + std::to_string(n) + "\":";
    text += anyJson(levels - 1);
  }
  return kind == 1 ? '{' + text + '}' : '[' + text + ']';
}

RC_GTEST_PROP(JsonDocument, RoundTripsAnyJson, ()) {
  const std::string json = anyJson(5);
  const JsonDocument document{json};
  RC_ASSERT(!document.problem());
  RC_ASSERT(walked(document.root()) == json);
}

RC_GTEST_PROP(JsonDocument, AcceptsTheSameInputAsTheClient, (std::string bytes)) {
  std::string json = anyJson(3);
  json.replace(*rc::gen::inRange<std::size_t>(0, json.size()), 1, bytes);
  const JsonDocument document{json};
  std::string compact;
  RC_ASSERT(document.problem().has_value() != tally::detail::appendJsonText(compact, json));
  if (!document.problem()) RC_ASSERT(walked(document.root()) == compact);
}

}  // namespace

}  // namespace tally::fake::detail
