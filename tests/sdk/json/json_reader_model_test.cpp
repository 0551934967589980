// The JSON reader compared with Boost.JSON on arbitrary texts.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "json/json_reader.h"

namespace tally::detail {

using namespace std::string_literals;

namespace {

struct Part {
  std::string name{};
  std::optional<std::int64_t> count{};
  UnknownFields unknownFields{};
};

struct Whole {
  std::string text{};
  std::optional<std::string> note{};
  std::int64_t number = 0;
  bool flag = false;
  Part part{};
  std::vector<Part> parts{};
  std::vector<std::string> tags{};
  Metadata metadata{};
  RawJson raw{};
  UnknownFields unknownFields{};
};

constexpr Field partFields[] = {field<&Part::name>("name", Presence::required), field<&Part::count>("count")};

}  // namespace

template <>
const Struct Schema<Part>::value = describe<Part>("part", partFields);

namespace {

constexpr Field wholeFields[] = {
    constant("object", "whole"),
    field<&Whole::text>("text", Presence::required),
    nullable(field<&Whole::note>("note", Presence::required)),
    field<&Whole::number>("number", Presence::required),
    field<&Whole::flag>("flag"),
    field<&Whole::part>("part"),
    field<&Whole::parts>("parts"),
    field<&Whole::tags>("tags"),
    field<&Whole::metadata>("metadata"),
    field<&Whole::raw>("raw"),
};

constexpr Struct wholeType = describe<Whole>("whole", wholeFields);

struct Widest {
  std::string text{};
};

/// As many fields as possible, which share a member.
constexpr std::array<Field, maxFields> widestFields = [] {
  constexpr std::string_view names =
      "A0A1A2A3A4A5A6A7B0B1B2B3B4B5B6B7C0C1C2C3C4C5C6C7D0D1D2D3D4D5D6D7"
      "E0E1E2E3E4E5E6E7F0F1F2F3F4F5F6F7G0G1G2G3G4G5G6G7H0H1H2H3H4H5H6H7";
  std::array<Field, maxFields> fields{};
  for (std::size_t i = 0; i < maxFields; ++i)
    fields[i] = field<&Widest::text>(names.substr(2 * i, 2), Presence::required);
  return fields;
}();

constexpr Struct widestType = describe<Widest>("widest", widestFields);

using Dom = boost::json::value;

std::optional<Dom> parsed(const std::string& json) {
  boost::json::parse_options options;
  options.max_depth = 200;
  boost::system::error_code failed;
  Dom dom = boost::json::parse(json, failed, {}, options);
  return failed ? std::nullopt : std::optional{std::move(dom)};
}

Dom domOf(const Part& part) {
  boost::json::object dom{{"name", part.name}};
  if (part.count) dom["count"] = *part.count;
  return dom;
}

/// The object with all of its fields present.
boost::json::object domOf(const Whole& whole) {
  boost::json::object dom{{"object", "whole"},
                          {"text", whole.text},
                          {"number", whole.number},
                          {"flag", whole.flag},
                          {"note", nullptr},
                          {"part", domOf(whole.part)},
                          {"parts", boost::json::array{}},
                          {"tags", boost::json::array{}},
                          {"metadata", boost::json::object{}},
                          {"raw", nullptr}};
  if (whole.note) dom["note"] = *whole.note;
  for (const Part& part : whole.parts)
    dom["parts"].as_array().push_back(domOf(part));
  for (const std::string& tag : whole.tags)
    dom["tags"].as_array().emplace_back(tag);
  for (const auto& [key, value] : whole.metadata)
    dom["metadata"].as_object()[key] = value;
  if (!whole.raw.text.empty()) dom["raw"] = parsed(whole.raw.text).value();
  return dom;
}

void dropUnknown(boost::json::object& dom, const std::vector<std::string>& known) {
  std::vector<std::string> unknown;
  for (const auto& member : dom)
    if (std::ranges::find(known, std::string{member.key()}) == known.end())
      unknown.emplace_back(member.key());
  for (const std::string& key : unknown)
    dom.erase(key);
}

/// The part of a text that the fields of Whole can hold. A null is equivalent to an absent member.
boost::json::object described(const Dom& read) {
  boost::json::object dom = domOf(Whole{});
  for (const auto& member : read.as_object())
    if (dom.contains(member.key())) dom[member.key()] = member.value();
  const auto trim = [](Dom& part) {
    dropUnknown(part.as_object(), {"name", "count"});
    if (part.as_object().contains("count") && part.at("count").is_null()) part.as_object().erase("count");
  };
  trim(dom["part"]);
  for (Dom& part : dom["parts"].as_array())
    trim(part);
  return dom;
}

const std::string& plainText() {
  static const std::string text =
      R"({"object":"whole","text":"a plain text","note":null,"number":-12,"flag":true,)"
      R"("part":{"name":"axle","count":2},"parts":[{"name":"a"},{"name":"b","count":0}],)"
      R"("tags":["x","yy"],"metadata":{"order":"42","till":"7"},"raw":{"a":[1,2.50,"b",null,{}]}})";
  return text;
}

const std::string& oddText() {
  static const std::string text =
      "{ \"raw\" : [ ] ,\"te\\u0078t\": \"\\\"\xC3\xA9\\n\\ud83d\\ude00 \xF0\x9F\x98\x80\" ,\r\n"
      "\t\"object\":\"whole\", \"number\" : 9223372036854775807, \"part\":{\"name\":\"\",\"new\":1e3},"
      "\"note\":\"\\/\", \"else\": {\"\\\\\":-0.5E+2}, \"parts\" :[ ], \"metadata\":{\"\\u0000\":\"\"} } ";
  return text;
}

/// The fields in the order of the table, with white space before each colon.
const std::string& spacedText() {
  static const std::string text = std::regex_replace(plainText(), std::regex{"\":"}, "\" :");
  return text;
}

using Edit = void (*)(std::string& text, std::size_t at, std::size_t other, char c);

constexpr Edit edits[] = {
    [](std::string& text, std::size_t at, std::size_t, char c) { text.insert(at, 1, c); },
    [](std::string& text, std::size_t at, std::size_t, char c) { text[at] = c; },
    [](std::string& text, std::size_t at, std::size_t, char) { text.erase(at, 1); },
    [](std::string& text, std::size_t at, std::size_t, char) { text.resize(at); },
    [](std::string& text, std::size_t at, std::size_t size, char) { text.erase(at, size % 12); },
    [](std::string& text, std::size_t at, std::size_t other, char) {
      text.insert(at, text.substr(other, 12));
    },
};

/// Mostly characters with a meaning in JSON.
rc::Gen<char> character() {
  return rc::gen::oneOf(rc::gen::elementOf(" \t\n{}[]:,\"\\0123456789-+.eEtfnul/\0\x7f\x80\xc3\xa9"s),
                        rc::gen::arbitrary<char>());
}

std::string edited() {
  std::string text = *rc::gen::element(plainText(), oddText());
  for (int left = *rc::gen::inRange(0, 4); left > 0 && !text.empty(); --left) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto other = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto which = *rc::gen::inRange<std::size_t>(0, std::size(edits));
    edits[which](text, at, other, *character());
  }
  return text;
}

TEST(JsonReader, ReadsEveryTypeOfField) {
  for (const std::string& text : {plainText(), oddText(), spacedText()}) {
    Whole whole;
    ASSERT_EQ(readJson(text, {wholeType, &whole}), std::nullopt);
    EXPECT_EQ(domOf(whole), described(parsed(text).value()));
  }
}

RC_GTEST_PROP(JsonReader, AgreesWithBoostJson, ()) {
  const std::string text = edited();
  const std::vector<char> exact{text.begin(), text.end()};  // without a terminating null
  Whole whole;
  const auto problem = readJson({exact.data(), exact.size()}, {wholeType, &whole});
  const auto dom = parsed(text);
  RC_CLASSIFY(!problem.has_value(), "read");
  RC_CLASSIFY(problem && dom, "refused though JSON");
  if (!dom) {
    RC_ASSERT(problem.has_value());
    return;
  }
  if (problem) {
    RC_ASSERT(!problem->empty());
    RC_ASSERT(problem->find("not JSON") == std::string::npos);
    return;
  }
  const boost::json::object expected = described(*dom);
  RC_ASSERT(domOf(whole) == expected);
  for (const UnknownField& unknown : whole.unknownFields)
    RC_ASSERT(parsed(unknown.value.text).has_value());
}

RC_GTEST_PROP(JsonReader, ReplacesEveryPartOfAReusedObject, ()) {
  const std::string before = edited();
  const std::string after = edited();
  Whole fresh;
  const bool isRead = !readJson(after, {wholeType, &fresh});
  Whole used;
  (void)readJson(before, {wholeType, &used});
  RC_ASSERT(isRead == !readJson(after, {wholeType, &used}));
  if (!isRead) return;
  RC_ASSERT(domOf(used) == domOf(fresh));
  RC_ASSERT(used.unknownFields == fresh.unknownFields);
  RC_ASSERT(used.part.unknownFields == fresh.part.unknownFields);
}

/// An object with the fields from `begin` to `end`, and then `rest`.
std::string widest(std::size_t begin, std::size_t end, const std::string& rest) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i)
    text += (text.empty() ? "{\"" : ",\"") + std::string{widestFields[i].name} + "\":\"\"";
  return text + rest + '}';
}

TEST(JsonReader, ReadsAsManyFieldsAsAStructMayHave) {
  const auto problem = [](const std::string& text) {
    Widest read;
    return readJson(text, {widestType, &read}).value_or("");
  };
  EXPECT_EQ(problem(widest(0, 64, "")), "");
  EXPECT_EQ(problem(widest(1, 64, R"(,"A0":"")")), "");
  EXPECT_EQ(problem(widest(0, 63, "")), "H7: missing");
  EXPECT_EQ(problem(widest(1, 64, "")), "A0: missing");
  EXPECT_EQ(problem(R"({"A1":"","A0":""})"), "A2: missing");
  EXPECT_EQ(problem(widest(0, 64, R"(,"H7":"")")), "H7: duplicate field");
  EXPECT_EQ(problem(widest(0, 64, R"(,"A0":"")")), "A0: duplicate field");
  EXPECT_EQ(problem(widest(1, 64, R"(,"A0":"","A1":"")")), "A1: duplicate field");
}

/// The members of plainText(), each a name and a value.
std::vector<std::string> plainMembers() {
  std::vector<std::string> members;
  const Dom dom = parsed(plainText()).value();
  for (const auto& member : dom.as_object())
    members.push_back('"' + std::string{member.key()} + "\":" + boost::json::serialize(member.value()));
  return members;
}

RC_GTEST_PROP(JsonReader, ReadsMembersInAnyOrderAndRefusesTheSecondOfAName, ()) {
  const std::vector<std::string> all = plainMembers();
  std::vector<std::string> chosen = all;
  if (*rc::gen::arbitrary<bool>()) std::ranges::rotate(chosen, chosen.begin() + *rc::gen::inRange(0, 10));
  for (int swaps = *rc::gen::inRange(0, 4); swaps > 0; --swaps)
    std::swap(chosen[*rc::gen::inRange<std::size_t>(0, 10)], chosen[*rc::gen::inRange<std::size_t>(0, 10)]);
  const auto repeated = *rc::gen::inRange<std::size_t>(0, 10);
  const auto place = *rc::gen::inRange<std::ptrdiff_t>(0, 11);
  const bool repeats = *rc::gen::arbitrary<bool>();
  if (repeats) chosen.insert(chosen.begin() + place, all[repeated]);

  std::string text;
  for (const std::string& member : chosen)
    text += (text.empty() ? "{" : *rc::gen::element(",", ", ")) + member;
  Whole whole;
  const auto problem = readJson(text + '}', {wholeType, &whole});
  if (repeats) {
    RC_ASSERT(problem == std::string{wholeFields[repeated].name} + ": duplicate field");
  } else {
    RC_ASSERT(problem == std::nullopt);
    RC_ASSERT(domOf(whole) == described(parsed(plainText()).value()));
  }
}

RC_GTEST_PROP(JsonReader, ReadsAnyString, (const std::string& text)) {
  const std::string json = boost::json::serialize(Dom{{"text", text}, {"metadata", {{text, text}}}});
  Whole whole;
  const bool isRead = !mergeJson(json, {wholeType, &whole});
  RC_ASSERT(isRead == parsed(json).has_value());
  if (!isRead) return;
  RC_ASSERT(whole.text == text);
  RC_ASSERT(whole.metadata == (Metadata{{text, text}}));
}

RC_GTEST_PROP(JsonReader, ReadsAnyInteger, (std::int64_t number)) {
  Whole whole;
  const std::string json = R"({"number":)" + std::to_string(number) + "}";
  RC_ASSERT(!mergeJson(json, {wholeType, &whole}));
  RC_ASSERT(whole.number == number);
}

}  // namespace
}  // namespace tally::detail
