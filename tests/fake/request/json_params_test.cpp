#include "request/json_params.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fake/support/gadget.h"
#include "json/json_writer.h"

namespace tally::test {

namespace {

using fake::detail::Fault;
using fake::detail::readJsonParams;

struct Read {
  GadgetParams params{};
  Fault fault{};
};

Read read(std::string_view json) {
  Read result;
  result.fault = readJsonParams(json, refTo(result.params));
  return result;
}

std::string faultOf(std::string_view json) {
  const Fault fault = read(json).fault;
  if (!fault) return "none";
  std::string line{fault->response->name};
  if (!fault->param.empty()) line += ' ' + fault->param;
  return fault->detail.empty() ? line : line + ": " + fault->detail;
}

TEST(JsonParams, AreReadFromJsonThatTheClientWrites) {
  GadgetParams params;
  params.name = "Tea \"pot\"";
  params.size = -4;
  params.active = false;
  params.spare = Part{"S", 2};
  params.parts = std::vector{Part{"a", 5}, Part{"b", {}}};
  params.tags = {"x", "y"};
  params.extra = RawJson{R"({"a":[1,null]})"};
  params.parent = Id<Gadget>{"gad_9"};
  params.at = std::chrono::sys_seconds{std::chrono::seconds{5}};
  params.labels = {{"k", "v"}};
  params.metadata.set("a", "1").unset("b");
  std::string json;
  tally::detail::writeJson(json, refTo(params));
  const Read result = read(json);
  EXPECT_FALSE(result.fault) << result.fault->detail;
  EXPECT_EQ(result.params, params);
}

TEST(JsonParams, UnsetMetadataThatIsEmptyOrNull) {
  EXPECT_EQ(read(R"({"metadata":""})").params.metadata, MetadataEdit::unsetAll());
  EXPECT_EQ(read(R"({"metadata":null})").params.metadata, MetadataEdit::unsetAll());
  EXPECT_EQ(read(R"({"metadata":{"a":null,"b":""}})").params.metadata, MetadataEdit{}.unset("a").unset("b"));
}

TEST(JsonParams, CountAsMissingWhenNull) {
  EXPECT_EQ(read(R"({"size":null,"parts":null})").params, GadgetParams{});
}

TEST(JsonParams, AreRefusedWithTheNameOfTheBadParameter) {
  EXPECT_EQ(faultOf(R"({"sise":1})"), "parameter_unknown sise");
  EXPECT_EQ(faultOf(R"({"spare":{"colour":1}})"), "parameter_unknown spare[colour]");
  EXPECT_EQ(faultOf(R"({"parts":[{"name":"a"},{"name":1}]})"),
            "parameter_invalid parts[1][name]: expected a string");
  EXPECT_EQ(faultOf(R"({"metadata":{"a":1}})"), "parameter_invalid metadata[a]: expected a string");
}

TEST(JsonParams, AreRefusedWhenAValueHasTheWrongType) {
  EXPECT_EQ(faultOf(R"({"name":1})"), "parameter_invalid name: expected a string");
  EXPECT_EQ(faultOf(R"({"size":"1"})"), "parameter_invalid size: expected an integer");
  EXPECT_EQ(faultOf(R"({"size":1.0})"), "parameter_invalid size: expected an integer");
  EXPECT_EQ(faultOf(R"({"size":9223372036854775808})"), "parameter_invalid size: expected an integer");
  EXPECT_EQ(faultOf(R"({"at":"5"})"), "parameter_invalid at: expected an integer");
  EXPECT_EQ(faultOf(R"({"active":"true"})"), "parameter_invalid active: expected true or false");
  EXPECT_EQ(faultOf(R"({"spare":[]})"), "parameter_invalid spare: expected an object");
  EXPECT_EQ(faultOf(R"({"tags":"x"})"), "parameter_invalid tags: expected an array");
  EXPECT_EQ(faultOf(R"({"labels":"x"})"), "parameter_invalid labels: expected an object of strings");
  EXPECT_EQ(faultOf(R"({"metadata":"x"})"),
            "parameter_invalid metadata: expected an object of strings, an empty string or null");
}

TEST(JsonParams, AreRefusedWhenAnObjectLacksAMember) {
  EXPECT_EQ(faultOf(R"({"spare":{"weight":2}})"), "parameter_missing spare[name]");
  EXPECT_EQ(faultOf(R"({"spare":{"name":null}})"), "parameter_missing spare[name]");
  EXPECT_EQ(faultOf(R"({"parts":[{"name":"a"},{}]})"), "parameter_missing parts[1][name]");
  EXPECT_EQ(faultOf(R"({"size":1})"), "none");
}

TEST(JsonParams, KeepNumbersInFreeFormValuesAsWritten) {
  EXPECT_EQ(read(R"({"extra": { "n" : [1.10, -0, 1E+05, 12345678901234567890123] }})").params.extra,
            RawJson{R"({"n":[1.10,-0,1E+05,12345678901234567890123]})"});
  EXPECT_EQ(faultOf(R"({"extra":{"a":1,"a":2}})"), "parameter_invalid extra: 'a' is given twice");
  const std::string deep = std::string(32, '[') + std::string(32, ']');
  EXPECT_EQ(faultOf("{\"extra\":" + deep + '}'), "none");
  EXPECT_EQ(faultOf("{\"extra\":[" + deep + "]}"),
            "parameter_invalid extra: nested more than 32 levels deep");
  EXPECT_EQ(faultOf("{\"extra\":" + std::string(1'000, '[')),
            "parameter_invalid extra: nested more than 64 levels deep");
}

TEST(JsonParams, AreRefusedIfTheyHaveDuplicateNames) {
  EXPECT_EQ(faultOf(R"({"size":1,"size":1})"), "parameter_invalid size: given twice");
  EXPECT_EQ(faultOf(R"({"size":null,"size":1})"), "parameter_invalid size: given twice");
  EXPECT_EQ(faultOf(R"({"spare":{"name":"a","name":"b"}})"), "parameter_invalid spare[name]: given twice");
  EXPECT_EQ(faultOf(R"({"metadata":{"k":"1","k":""}})"), "parameter_invalid metadata[k]: given twice");
  EXPECT_EQ(faultOf(R"({"labels":{"k":"1","k":"1"}})"), "parameter_invalid labels[k]: given twice");
}

TEST(JsonParams, AreRefusedUnlessTheyFormAnObject) {
  EXPECT_EQ(faultOf("[]"), "body_invalid: the body is not a JSON object");
  EXPECT_TRUE(faultOf("{").starts_with("body_invalid: the body is not JSON: "));
  EXPECT_TRUE(faultOf("{\"name\":\"\xFF\"}").starts_with("body_invalid: the body is not JSON: "));
}

RC_GTEST_PROP(JsonParams, AreRefusedWhenTheyAreRandomBytes, (const std::string& bytes)) {
  const Fault fault = read(bytes).fault;
  RC_ASSERT(fault.has_value());
}

}  // namespace

}  // namespace tally::test
