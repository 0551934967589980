#include <tally/payment_records.h>

#include <gtest/gtest.h>

#include "json/json_reader.h"
#include "json/json_writer.h"
#include "sdk/support/harness.h"

namespace tally::detail {

// Defined in generated code.
template <>
const Struct Schema<PaymentRecord>::value;

namespace {

struct Line {
  std::string name{};
  std::optional<std::int64_t> count{};
};

struct Sample {
  std::vector<Line> lines{};
  std::vector<std::string> tags{};
  std::optional<std::string> note{};
  RawJson extra{};
  MetadataEdit edit{};
  UnknownFields unknownFields{};
};

constexpr Field lineFields[] = {field<&Line::name>("name", Presence::required), field<&Line::count>("count")};

}  // namespace

template <>
const Struct Schema<Line>::value = describe<Line>("line", lineFields);

namespace {

constexpr Field sampleFields[] = {
    field<&Sample::lines>("lines"),
    field<&Sample::tags>("tags"),
    nullable(field<&Sample::note>("note", Presence::required)),
    field<&Sample::extra>("extra"),
    field<&Sample::edit>("edit"),
};

constexpr Struct sampleType = describe<Sample>("sample", sampleFields);

/// Of any depth.
struct Nested {
  std::vector<Nested> nested{};
  UnknownFields unknownFields{};
};

}  // namespace

template <>
const Struct Schema<Nested>::value;

namespace {

constexpr Field nestedFields[] = {field<&Nested::nested>("nested")};

}  // namespace

template <>
const Struct Schema<Nested>::value = describe<Nested>("nested", nestedFields);

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  return text.replace(text.find(what), what.size(), with);
}

std::string problemWith(const std::string& json) {
  PaymentRecord record;
  return readJson(json, refTo(record)).value_or("");
}

Sample readSample(const std::string& json) {
  Sample sample;
  EXPECT_EQ(readJson(json, {sampleType, &sample}), std::nullopt);
  return sample;
}

TEST(JsonReader, ReadsEveryFieldOfAPaymentRecord) {
  PaymentRecord record;
  ASSERT_EQ(readJson(test::recordJson("pr_7"), refTo(record)), std::nullopt);
  EXPECT_EQ(record.id, "pr_7");
  EXPECT_EQ(record.amountRequested, (Amount{"usd", 1000}));
  EXPECT_EQ(record.amountCanceled, (Amount{"usd", 0}));
  EXPECT_EQ(record.amountFailed, (Amount{"usd", 1000}));
  EXPECT_EQ(record.amountGuaranteed, (Amount{"usd", 0}));
  EXPECT_EQ(record.amountRefunded, (Amount{"usd", 0}));
  EXPECT_EQ(record.created.time_since_epoch().count(), 1'730'000'000);
  EXPECT_FALSE(record.customerDetails);
  EXPECT_EQ(record.customerPresence, PaymentRecordCustomerPresence::onSession);
  EXPECT_EQ(record.description, "Tea");
  EXPECT_EQ(record.latestPaymentAttemptRecord, "par_1");
  EXPECT_FALSE(record.livemode);
  EXPECT_EQ(record.metadata, (Metadata{{"order", "42"}}));
  EXPECT_EQ(record.paymentMethodDetails.custom.displayName, "Till");
  EXPECT_FALSE(record.paymentMethodDetails.billingDetails);
  EXPECT_EQ(record.processorDetails.custom.paymentReference, "ref_1");
  EXPECT_FALSE(record.shippingDetails);
  EXPECT_TRUE(record.unknownFields.empty());
}

TEST(JsonReader, KeepsAnUnknownEnumValueAsAString) {
  PaymentRecord record;
  ASSERT_EQ(readJson(replaced(test::recordJson("pr_7"), "on_session", "by_post"), refTo(record)),
            std::nullopt);
  EXPECT_EQ(record.customerPresence.known(), std::nullopt);
  EXPECT_EQ(record.customerPresence.str(), "by_post");
}

TEST(JsonReader, KeepsUnknownFieldsUnderTheirPaths) {
  std::string json =
      replaced(test::recordJson("pr_7"), R"("value":1000)", R"("value":1000,"tax":{"a":[1,null]})");
  json = replaced(json, R"("livemode")", R"("mood":"good","livemode")");
  PaymentRecord record;
  ASSERT_EQ(readJson(json, refTo(record)), std::nullopt);
  EXPECT_EQ(record.unknownFields,
            (UnknownFields{{"amount_requested.tax", {R"({"a":[1,null]})"}}, {"mood", {R"("good")"}}}));
}

TEST(JsonReader, KeepsUndocumentedValuesAsRawJson) {
  const std::string json =
      replaced(test::recordJson("pr_7"), R"("customer_details":null)",
               R"("customer_details": {"name": "Ann \"\u00e9\"", "ids": [1, -2, 3.5e2, true, {}]})");
  PaymentRecord record;
  ASSERT_EQ(readJson(json, refTo(record)), std::nullopt);
  ASSERT_TRUE(record.customerDetails);
  EXPECT_EQ(record.customerDetails->text, R"({"name":"Ann \"é\"","ids":[1,-2,3.5e2,true,{}]})");
}

TEST(JsonReader, AcceptsFieldsInAnyOrder) {
  std::string json = test::recordJson("pr_7");
  json = R"({"livemode":true,)" + replaced(json.substr(1), R"("livemode":false,)", "");
  PaymentRecord record;
  ASSERT_EQ(readJson(json, refTo(record)), std::nullopt);
  EXPECT_TRUE(record.livemode);
}

TEST(JsonReader, ReportsWhichFieldIsInvalid) {
  const std::string good = test::recordJson("pr_7");
  EXPECT_EQ(problemWith(good), "");
  EXPECT_EQ(problemWith(replaced(good, R"("value":1000)", R"("value":"x")")),
            "amount_requested.value: expected an integer");
  EXPECT_EQ(problemWith(replaced(good, R"("value":1000)", R"("value":1.5)")),
            "amount_requested.value: expected an integer");
  EXPECT_EQ(problemWith(replaced(good, R"("value":1000)", R"("value":99999999999999999999)")),
            "amount_requested.value: expected an integer");
  EXPECT_EQ(problemWith(replaced(good, R"("order":"42")", R"("order":42)")),
            "metadata.order: expected a string");
  EXPECT_EQ(problemWith(replaced(good, R"("description":"Tea")", R"("description":null)")),
            "description: expected a string");
  EXPECT_EQ(problemWith(replaced(good, R"("description":"Tea",)", "")), "description: missing");
  EXPECT_EQ(problemWith(replaced(good, R"("currency":"usd",)", "")), "amount_requested.currency: missing");
  EXPECT_EQ(problemWith(replaced(good, R"("livemode")", R"("id":"pr_8","livemode")")), "id: duplicate field");
  EXPECT_EQ(problemWith(replaced(good, R"("object":"payment_record")", R"("object":"payout")")),
            "object: expected 'payment_record'");
  EXPECT_EQ(problemWith(replaced(good, R"("object":"payment_record")", R"("object":7)")),
            "object: expected a string");
}

TEST(JsonReader, RefusesTextThatIsNotAJsonObject) {
  for (const char* json : {"", "null", "7", "[]", "\"x\"", "true", "{", "{}x", "{\"id\":}", "\xff"})
    EXPECT_NE(problemWith(json), "") << json;
}

TEST(JsonReader, RefusesAResponseTruncatedAtAnyPoint) {
  const std::string good = test::recordJson("pr_7");
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_NE(problemWith(good.substr(0, length)), "");
}

std::string inLevels(std::size_t count, const std::string& open, const std::string& close) {
  std::string json;
  for (std::size_t i = 0; i < count; ++i)
    json += open;
  for (std::size_t i = 0; i < count; ++i)
    json += close;
  return json;
}

/// The text with white space is read by other code.
TEST(JsonReader, RefusesUnknownFieldsOfMoreThan128Levels) {
  for (const char* space : {"", " "}) {
    const auto json = [space](std::size_t levels) {
      return replaced(test::recordJson("pr_7"), R"("livemode")",
                      R"("x":)" + inLevels(levels, std::string{space} + "[", "]") + R"(,"livemode")");
    };
    EXPECT_EQ(problemWith(json(128)), "");
    for (const std::size_t levels : {129U, 100'000U})
      EXPECT_TRUE(problemWith(json(levels)).ends_with(": too deep")) << levels;
  }
}

TEST(JsonReader, RefusesObjectsAndListsOfMoreThan16Levels) {
  const auto problem = [](std::size_t lists) {
    Nested nested;
    return readJson(inLevels(lists, R"({"nested":[)", "]}"), refTo(nested)).value_or("");
  };
  EXPECT_EQ(problem(8), "");
  for (const std::size_t lists : {9U, 100'000U})
    EXPECT_TRUE(problem(lists).ends_with(": nested too deeply")) << lists;
}

TEST(JsonReader, ReadsListsOptionalFieldsAndNulls) {
  const Sample sample = readSample(
      R"({"lines":[{"name":"a","count":2},{"name":"b"}],"tags":["x","y"],"note":null,"extra":[1],"else":0})");
  ASSERT_EQ(sample.lines.size(), 2U);
  EXPECT_EQ(sample.lines[0].count, 2);
  EXPECT_EQ(sample.lines[1].count, std::nullopt);
  EXPECT_EQ(sample.tags, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(sample.note, std::nullopt);
  EXPECT_EQ(sample.extra.text, "[1]");
  EXPECT_EQ(sample.unknownFields, (UnknownFields{{"else", {"0"}}}));
}

TEST(JsonReader, IndexesUnknownFieldsOfListElements) {
  const Sample sample = readSample(R"({"lines":[{"name":"a"},{"name":"b","size":3}],"note":null})");
  EXPECT_EQ(sample.unknownFields, (UnknownFields{{"lines[1].size", {"3"}}}));
}

TEST(JsonReader, ReportsTheIndexOfAnInvalidListElement) {
  Sample sample;
  EXPECT_EQ(readJson(R"({"lines":[{"name":"a"},{"name":7}],"note":null})", {sampleType, &sample}),
            "lines[1].name: expected a string");
}

TEST(JsonReader, UnescapesKeysAndStrings) {
  const Sample sample = readSample(R"({"n\u006fte":"a\n\u00fcb","tags":["\"\\"]})");
  EXPECT_EQ(sample.note, "a\nüb");
  EXPECT_EQ(sample.tags, (std::vector<std::string>{"\"\\"}));
}

TEST(JsonReader, RefusesInvalidIntegers) {
  const std::string good = R"({"lines":[{"name":"a","count":7}],"note":null})";
  for (const char* number : {"07", "-07", "-", "+7", "7.", "7e", "0x7", "7 7", "--7", ""}) {
    Sample sample;
    EXPECT_TRUE(readJson(replaced(good, "7", number), {sampleType, &sample})) << number;
  }
  for (const char* number : {"0", "-0", "-7", "9223372036854775807", "-9223372036854775808"}) {
    Sample sample;
    EXPECT_FALSE(readJson(replaced(good, "7", number), {sampleType, &sample})) << number;
    EXPECT_EQ(sample.lines.at(0).count, std::stoll(number));
  }
}

TEST(JsonReader, RefusesMissingSeparatorsAndBrackets) {
  const std::string good = R"({"lines":[{"name":"a"},{"name":"b"}],"note":null,"edge":[1,2]})";
  (void)readSample(good);
  for (const auto& [what, with] : std::vector<std::pair<std::string, std::string>>{{"},{", "}{"},
                                                                                   {"},{", "},,{"},
                                                                                   {"}]", "},]"},
                                                                                   {"}]", "}}"},
                                                                                   {"],", "]"},
                                                                                   {"]}", "],}"},
                                                                                   {"1,2", "1 2"},
                                                                                   {"2]}", "2}}"},
                                                                                   {":[", "["}}) {
    Sample sample;
    EXPECT_TRUE(readJson(replaced(good, what, with), {sampleType, &sample})) << what << " as " << with;
  }
}

TEST(JsonReader, RefusesASpaceInPlaceOfTheCommaBeforeTheNextField) {
  Sample sample;
  EXPECT_FALSE(readJson(R"({"note":null, "extra":1})", {sampleType, &sample}));
  EXPECT_TRUE(readJson(R"({"note":null "extra":1})", {sampleType, &sample}));
}

TEST(JsonReader, RefusesControlCharactersAnywhereInAString) {
  for (char c = 0; c < 0x20; ++c)
    for (std::size_t at = 0; at < 20; ++at) {
      std::string text(20, 'x');
      text[at] = c;
      Sample sample;
      EXPECT_TRUE(readJson(R"({"note":")" + text + R"("})", {sampleType, &sample})) << int{c} << " at " << at;
    }
}

TEST(JsonReader, ReportsThePositionOfASyntaxError) {
  EXPECT_EQ(problemWith(""), "not JSON at byte 0: unexpected end");
  EXPECT_EQ(problemWith(R"({"id" "x"})"), "not JSON at byte 6: expected ':'");
  EXPECT_EQ(problemWith(R"({"x":tru})"), "not JSON at byte 5: syntax error");
  EXPECT_EQ(problemWith(R"({"id":"pr_\ud800"})"), "not JSON at byte 16: syntax error");
}

TEST(JsonReader, OverwritesPreviousValuesWhenMerging) {
  Sample sample;
  sample.note = "a";
  sample.extra.text = "[0]";
  ASSERT_EQ(mergeJson(R"({"note":null,"extra":[1]})", {sampleType, &sample}), std::nullopt);
  EXPECT_EQ(sample.note, std::nullopt);
  EXPECT_EQ(sample.extra.text, "[1]");
  PaymentRecord record;
  record.metadata = {{"a", "1"}};
  ASSERT_EQ(mergeJson(R"({"metadata":{"b":"2"}})", refTo(record)), std::nullopt);
  EXPECT_EQ(record.metadata, (Metadata{{"b", "2"}}));
}

TEST(JsonReader, ReplacesAListWhenMerging) {
  Sample sample;
  sample.lines = {{"a", 1}, {"b", 2}, {"c", 3}};
  sample.tags = {"x", "y"};
  ASSERT_EQ(mergeJson(R"({"lines":[{"name":"d"},{}],"tags":["z"]})", {sampleType, &sample}), std::nullopt);
  ASSERT_EQ(sample.lines.size(), 2U);
  EXPECT_EQ(sample.lines[0].name, "d");
  EXPECT_EQ(sample.lines[0].count, std::nullopt);
  EXPECT_EQ(sample.lines[1].name, "");
  EXPECT_EQ(sample.lines[1].count, std::nullopt);
  EXPECT_EQ(sample.tags, std::vector<std::string>{"z"});
}

TEST(JsonReader, MergesOnlyTheGivenFields) {
  PaymentRecord record;
  record.description = "Tea";
  ASSERT_EQ(mergeJson(R"({"livemode":true})", refTo(record)), std::nullopt);
  EXPECT_TRUE(record.livemode);
  EXPECT_EQ(record.description, "Tea");
}

TEST(JsonWriter, WritesAnObjectAsItWasRead) {
  const std::string json = test::recordJson("pr_7");
  PaymentRecord record;
  ASSERT_EQ(readJson(json, refTo(record)), std::nullopt);
  std::string written;
  writeJson(written, refTo(record));
  EXPECT_EQ(written, json);
}

TEST(JsonWriter, EscapesSpecialCharacters) {
  std::string out;
  writeJsonString(out, std::string_view{"a\"b\\c\n\r\t\x01\0d\x7f é", 15});
  EXPECT_EQ(out, "\"a\\\"b\\\\c\\n\\r\\t\\u0001\\u0000d\x7f é\"");
}

TEST(JsonWriter, EscapesSpecialCharactersAtEveryPosition) {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    std::string alone;
    writeJsonString(alone, std::string_view{&c, 1});
    const bool plain = byte >= 0x20 && c != '"' && c != '\\';
    EXPECT_EQ(alone.size() == 3, plain) << byte;
    const std::string escaped = alone.substr(1, alone.size() - 2);
    for (std::size_t at = 0; at < 20; ++at) {
      std::string text(20, '\x80');
      std::string expected = '"' + text + '"';
      text[at] = c;
      expected.replace(at + 1, 1, escaped);
      std::string out;
      writeJsonString(out, text);
      ASSERT_EQ(out, expected) << byte << " at " << at;
    }
  }
}

TEST(JsonWriter, OmitsMissingOptionalFieldsAndWritesNullForRequiredOnes) {
  std::string out;
  Sample sample;
  writeJson(out, {sampleType, &sample});
  EXPECT_EQ(out, R"({"note":null,"extra":null})");
}

TEST(JsonWriter, WritesMetadataEdits) {
  Sample sample;
  sample.edit.set("a", "1").unset("b");
  std::string out;
  writeJson(out, {sampleType, &sample});
  EXPECT_EQ(out, R"({"note":null,"extra":null,"edit":{"a":"1","b":""}})");
  sample.edit = MetadataEdit::unsetAll();
  out.clear();
  writeJson(out, {sampleType, &sample});
  EXPECT_EQ(out, R"({"note":null,"extra":null,"edit":""})");
}

}  // namespace
}  // namespace tally::detail
