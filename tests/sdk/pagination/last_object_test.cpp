// The end of a page gives the same information as the whole page.

#include "pagination/last_object.h"

#include <algorithm>
#include <string>
#include <vector>

#include <tally/payment_records.h>

#include <boost/json.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "json/json_reader.h"
#include "pagination/pager_impl.h"
#include "sdk/support/harness.h"

namespace tally::detail {

template <>
const Struct Schema<PaymentRecord>::value;  // defined in generated code

namespace {

using Texts = std::vector<std::string>;

std::string joined(const Texts& texts, const std::string& between) {
  std::string all;
  for (const std::string& text : texts)
    all += (all.empty() ? "" : between) + text;
  return all;
}

std::string anySpace() {
  return *rc::gen::element<std::string>("", "", "", " ", "\n\t");
}

/// A string with many characters that delimit strings, arrays and objects.
std::string anyString() {
  const auto part = rc::gen::element<std::string>("a", "[", "]", "{", "}", ",", ":", R"(\")", R"(\\)",
                                                  R"(\n)", R"(\u0022)", R"(\u005c)", "é");
  return '"' + joined(*rc::gen::container<Texts>(part), "") + '"';
}

std::string anyValue(int depth);

std::string anyArray(int depth) {
  Texts elements(*rc::gen::inRange<std::size_t>(0, 4));
  for (std::string& element : elements)
    element = anySpace() + anyValue(depth - 1) + anySpace();
  return '[' + joined(elements, ",") + ']';
}

std::string anyObject(int depth) {
  Texts members(*rc::gen::inRange<std::size_t>(0, 4));
  for (std::size_t i = 0; i < members.size(); ++i)  // numbered, so that names are unique
    members[i] =
        anySpace() + anyString().insert(1, std::to_string(i)) + anySpace() + ':' + anyValue(depth - 1);
  return '{' + joined(members, ",") + '}';
}

std::string anyValue(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 5 : 3)) {
    case 0:
      return anyString();
    case 1:
      return *rc::gen::element<std::string>("-1.5e3", "0", "12");
    case 2:
      return *rc::gen::element<std::string>("true", "null");
    case 3:
      return anyArray(depth);
    default:
      return anyObject(depth);
  }
}

/// A member next to the objects of a page: anything but an array.
std::string anyMember(const std::string& name) {
  const std::string value = *rc::gen::inRange(0, 2) == 0 ? anyString() : anyObject(2);
  return anySpace() + '"' + name + '"' + anySpace() + ':' + anySpace() + value + anySpace();
}

RC_GTEST_PROP(PageShortening, CutsAPageDownToItsLastObject, ()) {
  const std::string array = anyArray(3);
  const std::string page =
      '{' + joined({anyMember("a"), "\"data\":" + array, anyMember("b")}, ",") + '}' + anySpace();
  boost::json::value expected = boost::json::parse(page);
  auto& data = expected.at("data").as_array();
  if (data.size() > 1) data.erase(data.begin(), data.end() - 1);
  RC_ASSERT(boost::json::parse(withLastObjectOnly(page)) == expected);
}

/// The JSON of a record with arbitrary text.
std::string anyRecord(int number) {
  std::string json = test::recordJson("pr_" + std::to_string(number));
  const std::string tea = R"("Tea")";
  return json.replace(json.find(tea), tea.size(), anyString());
}

std::string anyPage() {
  Texts records(*rc::gen::inRange<std::size_t>(1, 4));
  std::ranges::generate(records, [number = 0]() mutable { return anyRecord(++number); });
  Texts members{R"("object":"list")", R"("url":"/v1/payment_records")", R"("has_more":true)",
                R"("next_page":)" + anyString(), "\"data\":[" + joined(records, "," + anySpace()) + ']'};
  members[2] = *rc::gen::element<std::string>(R"("has_more":true)", R"("has_more":false)");
  const auto places = *rc::gen::container<std::vector<int>>(members.size(), rc::gen::arbitrary<int>());
  Texts shuffled;
  for (std::size_t i = 0; i < members.size(); ++i)
    shuffled.insert(shuffled.begin() + (places[i] & 0xFF) % static_cast<int>(i + 1), members[i]);
  return '{' + joined(shuffled, "," + anySpace()) + '}';
}

RC_GTEST_PROP(PageShortening, KeepsTheCursorOfTheNextPage, ()) {
  const PageType& type = pageType<ResultPage<PaymentRecord>>;
  const std::string text = anyPage();
  ResultPage<PaymentRecord> whole;
  ResultPage<PaymentRecord> end;
  RC_ASSERT(!readJson(text, refTo(whole)));
  RC_ASSERT(!mergeJson(withLastObjectOnly(text), refTo(end)));
  const PageFacts expected = type.facts(refTo(whole));
  const PageFacts facts = type.facts(refTo(end));
  RC_ASSERT(facts.count == 1U);
  RC_ASSERT(facts.hasMore == expected.hasMore);
  RC_ASSERT(facts.lastId == expected.lastId);
  RC_ASSERT(*facts.nextPage == *expected.nextPage);
}

/// The result is the text without part of its middle, or empty if it could not be parsed.
void expectParts(const std::string& text) {
  const std::string end = withLastObjectOnly(text);
  RC_ASSERT(end.size() <= text.size());
  std::size_t same = 0;
  while (same < end.size() && end[same] == text[same])
    ++same;
  RC_ASSERT(std::string_view{text}.ends_with(std::string_view{end}.substr(same)));
}

RC_GTEST_PROP(PageShortening, AcceptsAnyBytes, ()) {
  const auto byte = rc::gen::element('{', '}', '[', ']', ',', ':', '"', '\\', 'a', ' ');
  expectParts(*rc::gen::container<std::string>(byte));
  expectParts(*rc::gen::arbitrary<std::string>());
}

RC_GTEST_PROP(PageShortening, AcceptsATruncatedPage, ()) {
  const std::string page = anyPage();
  const auto from = *rc::gen::inRange<std::size_t>(0, page.size());
  expectParts(page.substr(from));
  expectParts(page.substr(0, from));
}

TEST(PageShortening, ReturnsAnEmptyStringIfNoMemberIsAnArray) {
  for (const char* text :
       {"", "{", "}", "\"", "[]", "{}", "]", "[{}]", R"({"data":{"a":[1]}})", R"({"a":"[1]"})"})
    EXPECT_EQ(withLastObjectOnly(text), "") << text;
}

TEST(PageShortening, LeavesAPageWithoutObjectsUnchanged) {
  EXPECT_EQ(withLastObjectOnly(R"({"data":[],"b":1})"), R"({"data":[],"b":1})");
}

TEST(PageShortening, AcceptsAMillionLevelsOfNesting) {
  constexpr std::size_t deep = 1'000'000;
  const std::string open = R"({"data":[1,)";
  EXPECT_EQ(withLastObjectOnly(open + std::string(deep, '[')), "");
  EXPECT_EQ(withLastObjectOnly(std::string(deep, ']') + "}"), "");
  const std::string nested = std::string(deep, '[') + std::string(deep, ']');
  EXPECT_EQ(withLastObjectOnly(open + nested + "]}"), R"({"data":[)" + nested + "]}");
}

TEST(PageShortening, HandlesMillionsOfBackslashesAndEscapedQuotes) {
  std::string backslashes = R"({"a":")" + std::string(4'000'000, '\\');
  std::string quotes;
  for (int i = 0; i < 1'000'000; ++i)
    quotes += R"(\")";
  EXPECT_EQ(withLastObjectOnly(backslashes + R"(","data":[1,2]})"), backslashes + R"(","data":[2]})");
  EXPECT_EQ(withLastObjectOnly(R"({"data":[1,")" + quotes + R"("]})"), R"({"data":[")" + quotes + R"("]})");
}

}  // namespace
}  // namespace tally::detail
