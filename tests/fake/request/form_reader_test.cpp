#include "request/form_reader.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fake/support/gadget.h"
#include "form/form_writer.h"
#include "request/form_field_name.h"

namespace tally::test {

namespace {

using fake::detail::Fault;
using fake::detail::readForm;
using fake::detail::stepsOf;

struct Read {
  GadgetParams params{};
  Fault fault{};
};

Read read(std::string_view form) {
  Read result;
  result.fault = readForm(form, refTo(result.params));
  return result;
}

/// Code, param and detail of the fault, in one line.
std::string faultOf(std::string_view form) {
  const Fault fault = read(form).fault;
  if (!fault) return "none";
  std::string line{fault->response->name};
  if (!fault->param.empty()) line += ' ' + fault->param;
  return fault->detail.empty() ? line : line + ": " + fault->detail;
}

TEST(FormName, IsSplitAtBrackets) {
  using Steps = std::vector<std::string_view>;
  EXPECT_EQ(stepsOf("limit"), (Steps{"limit"}));
  EXPECT_EQ(stepsOf("a[b][0][c]"), (Steps{"a", "b", "0", "c"}));
  EXPECT_EQ(stepsOf("expand[]"), (Steps{"expand", ""}));
}

TEST(FormName, RequiresMatchingBrackets) {
  for (const std::string_view name :
       {"", "[a]", "a[", "a]", "a[b", "a[b]c", "a[b]]", "a[[b]]", "a[[b]", "a[b][", "a]b["})
    EXPECT_EQ(stepsOf(name), std::nullopt) << name;
}

TEST(FormReader, ReadsEveryKindOfValue) {
  const Read result = read(
      "name=Tea+pot&note=&size=-4&active=true&spare[name]=S&spare[weight]=2&parts[0][name]=a&parts[1][name]=b"
      "&parts[0][weight]=5&tags[]=x&tags[]=y&extra=%7B%22a%22%3A1%7D&parent=gad_9&at=1700000000&labels[k]=v");
  EXPECT_FALSE(result.fault) << result.fault->detail;
  GadgetParams expected;
  expected.name = "Tea pot";
  expected.note = "";
  expected.size = -4;
  expected.active = true;
  expected.spare = Part{"S", 2};
  expected.parts = std::vector{Part{"a", 5}, Part{"b", {}}};
  expected.tags = {"x", "y"};
  expected.extra = RawJson{R"({"a":1})"};
  expected.parent = Id<Gadget>{"gad_9"};
  expected.at = std::chrono::sys_seconds{std::chrono::seconds{1700000000}};
  expected.labels = {{"k", "v"}};
  EXPECT_EQ(result.params, expected);
}

TEST(FormReader, AcceptsRawAndEncodedBrackets) {
  EXPECT_EQ(read("spare%5Bname%5D=S").params.spare, (Part{"S", {}}));
  EXPECT_EQ(read("tags%5B0%5D=x&tags[1]=y").params.tags, (std::vector<std::string>{"x", "y"}));
}

TEST(FormReader, SkipsEmptyPairs) {
  EXPECT_EQ(faultOf(""), "none");
  EXPECT_EQ(read("&&size=1&").params.size, 1);
}

TEST(FormReader, SetsAndUnsetsMetadataKeys) {
  const Read result = read("metadata[a]=1&metadata[b]=&metadata[c d]=%26");
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.params.metadata, MetadataEdit{}.set("a", "1").unset("b").set("c d", "&"));
}

TEST(FormReader, UnsetsAllKeysWhenMetadataIsEmpty) {
  EXPECT_EQ(read("metadata=").params.metadata, MetadataEdit::unsetAll());
  EXPECT_EQ(read("metadata").params.metadata, MetadataEdit::unsetAll());
}

TEST(FormReader, RefusesToUnsetAllKeysTogetherWithOtherChanges) {
  const std::string fault =
      "parameter_invalid metadata[a]: unsetting all keys can't be combined with other changes";
  EXPECT_EQ(faultOf("metadata=&metadata[a]=1"), fault);
  EXPECT_EQ(faultOf("metadata[a]=1&metadata="),
            "parameter_invalid metadata: unsetting all keys can't be combined with other changes");
}

TEST(FormReader, NamesAnUnknownParameterWithDecodedBrackets) {
  EXPECT_EQ(faultOf("metdata[order]=1"), "parameter_unknown metdata[order]");
  EXPECT_EQ(faultOf("metdata%5Border%5D=1"), "parameter_unknown metdata[order]");
  EXPECT_EQ(faultOf("spare[colour]=1"), "parameter_unknown spare[colour]");
  EXPECT_EQ(faultOf("parts[0][colour]=1"), "parameter_unknown parts[0][colour]");
}

TEST(FormReader, RefusesValuesOfTheWrongType) {
  EXPECT_EQ(faultOf("size=a"), "parameter_invalid size: expected an integer");
  EXPECT_EQ(faultOf("size="), "parameter_invalid size: expected an integer");
  EXPECT_EQ(faultOf("size=1.5"), "parameter_invalid size: expected an integer");
  EXPECT_EQ(faultOf("size=%2B1"), "parameter_invalid size: expected an integer");
  EXPECT_EQ(faultOf("size=1+"), "parameter_invalid size: expected an integer");
  EXPECT_EQ(faultOf("size=9223372036854775808"), "parameter_invalid size: expected an integer");
  EXPECT_EQ(faultOf("at=now"), "parameter_invalid at: expected whole seconds since the epoch");
  EXPECT_EQ(faultOf("active=yes"), "parameter_invalid active: expected true or false");
  EXPECT_EQ(faultOf("extra={"), "parameter_invalid extra: expected JSON");
  EXPECT_EQ(faultOf("extra=1%202"), "parameter_invalid extra: expected JSON");
  EXPECT_EQ(faultOf("extra={\"a\":1,\"a\":2}"), "parameter_invalid extra: 'a' is given twice");
  EXPECT_EQ(faultOf("extra=" + std::string(33, '[') + std::string(33, ']')),
            "parameter_invalid extra: nested more than 32 levels deep");
}

TEST(FormReader, RefusesObjectsWithMissingMembers) {
  EXPECT_EQ(faultOf("spare[weight]=2"), "parameter_missing spare[name]");
  EXPECT_EQ(faultOf("spare[maker][name]=a"), "parameter_missing spare[name]");
  EXPECT_EQ(faultOf("parts[0][name]=a&parts[1][weight]=2"), "parameter_missing parts[1][name]");
  EXPECT_EQ(faultOf("parts[0][weight]=2&parts[1][name]=b&parts[0][name]=a"), "none");
  EXPECT_EQ(faultOf("size=1"), "none") << "the reader does not know whether an update requires a name";
}

TEST(FormReader, RequiresBracketsExceptForSingleValues) {
  EXPECT_EQ(faultOf("size[]=1"), "parameter_invalid size[]: expected a single value, without brackets");
  EXPECT_EQ(faultOf("name[a]=1"), "parameter_invalid name[a]: expected a single value, without brackets");
  EXPECT_EQ(faultOf("spare=1"), "parameter_invalid spare: expected a field of the object, in brackets");
  EXPECT_EQ(faultOf("tags=1"), "parameter_invalid tags: expected a list: append '[]' to the name");
  EXPECT_EQ(faultOf("metadata=1"),
            "parameter_invalid metadata: expected keys in brackets, or an empty value");
  EXPECT_EQ(faultOf("metadata[]=1"), "parameter_invalid metadata[]: a metadata key can't be empty");
  EXPECT_EQ(faultOf("metadata[a][b]=1"),
            "parameter_invalid metadata[a][b]: a metadata key must be a single name in brackets");
  EXPECT_EQ(faultOf("labels="), "parameter_invalid labels: expected keys in brackets");
}

TEST(FormReader, RequiresConsecutivelyNumberedElements) {
  const std::string inTurn = "list elements must be numbered consecutively from 0";
  EXPECT_EQ(faultOf("tags[1]=x"), "parameter_invalid tags[1]: " + inTurn);
  EXPECT_EQ(faultOf("tags[-1]=x"), "parameter_invalid tags[-1]: " + inTurn);
  EXPECT_EQ(faultOf("tags[99999999999999999999]=x"),
            "parameter_invalid tags[99999999999999999999]: " + inTurn);
  EXPECT_EQ(faultOf("parts[0][name]=1&parts[00][name]=2"), "parameter_invalid parts[00][name]: " + inTurn);
  EXPECT_EQ(faultOf("parts[][name]=x"),
            "parameter_invalid parts[][name]: expected object elements numbered from 0");
}

TEST(FormReader, RefusesDuplicateParameters) {
  EXPECT_EQ(faultOf("size=1&size=1"), "parameter_invalid size: given twice");
  EXPECT_EQ(faultOf("tags[]=a&tags[0]=b"), "parameter_invalid tags[0]: given twice");
  EXPECT_EQ(faultOf("metadata[a]=1&metadata%5Ba%5D=2"), "parameter_invalid metadata[a]: given twice");
  EXPECT_EQ(faultOf("parts[0][name]=1&parts[0][name]=2"), "parameter_invalid parts[0][name]: given twice");
}

TEST(FormReader, RefusesUnreadableInput) {
  EXPECT_EQ(faultOf("size=%4"),
            "body_invalid: 'size=%4' has a '%' that is not followed by two hexadecimal digits");
  EXPECT_EQ(faultOf("%zz=1"),
            "body_invalid: '%zz=1' has a '%' that is not followed by two hexadecimal digits");
  EXPECT_EQ(faultOf("a[b=1"), "body_invalid: the name 'a[b' has unbalanced brackets");
  EXPECT_EQ(faultOf("=1"), "body_invalid: '=1' has no name");
  EXPECT_EQ(faultOf("name=%FF"), "body_invalid: 'name=%FF' is not UTF-8");
}

TEST(FormReader, KeepsNulCharacters) {
  EXPECT_EQ(read("name=a%00b").params.name, std::string("a\0b", 3));
}

/// Fragments of forms, so that random combinations get far into the reader.
rc::Gen<std::string> piece() {
  return rc::gen::elementOf(std::vector<std::string>{"name",
                                                     "note",
                                                     "size",
                                                     "active",
                                                     "spare",
                                                     "parts",
                                                     "tags",
                                                     "extra",
                                                     "parent",
                                                     "at",
                                                     "labels",
                                                     "metadata",
                                                     "[",
                                                     "]",
                                                     "[]",
                                                     "[0]",
                                                     "[1]",
                                                     "[name]",
                                                     "[weight]",
                                                     "=",
                                                     "=",
                                                     "&",
                                                     "&",
                                                     "1",
                                                     "true",
                                                     "%",
                                                     "%5B",
                                                     "%00",
                                                     "%FF",
                                                     "+",
                                                     "9223372036854775807",
                                                     "\xC3",
                                                     "{}",
                                                     "x"});
}

RC_GTEST_PROP(FormReader, AcceptsOrRefusesAnySequenceOfFragments, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(piece());
  std::string form;
  for (const std::string& part : pieces)
    form += part;
  const Fault fault = read(form).fault;
  RC_ASSERT((!fault || fault->response->status == 400));
}

RC_GTEST_PROP(FormReader, AcceptsOrRefusesAnyBytes, (const std::string& bytes)) {
  const Fault fault = read(bytes).fault;
  RC_ASSERT((!fault || fault->response->status == 400));
}

rc::Gen<std::string> asciiText() {
  return rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
}

Part anyPart() {
  Part part{.name = *asciiText(), .weight = {}};
  if (*rc::gen::arbitrary<bool>()) part.weight = *rc::gen::arbitrary<std::int64_t>();
  return part;
}

std::vector<Part> anyParts() {
  std::vector<Part> parts(*rc::gen::inRange<std::size_t>(0, 4));
  for (Part& part : parts)
    part = anyPart();
  return parts;
}

MetadataEdit anyEdit() {
  MetadataEdit edit;
  const auto keys = *rc::gen::unique<std::vector<std::string>>(
      rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'z'))));
  for (const std::string& key : keys) {
    if (*rc::gen::arbitrary<bool>()) {
      edit.unset(key);
    } else {
      edit.set(key, *rc::gen::nonEmpty(asciiText()));
    }
  }
  return edit;
}

RC_GTEST_PROP(FormReader, ReadsEveryFormThatTheClientWrites, ()) {
  GadgetParams params;
  if (*rc::gen::arbitrary<bool>()) params.name = *asciiText();
  if (*rc::gen::arbitrary<bool>()) params.size = *rc::gen::arbitrary<std::int64_t>();
  if (*rc::gen::arbitrary<bool>()) params.active = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) params.spare = anyPart();
  const std::vector<Part> parts = anyParts();
  if (!parts.empty()) params.parts = parts;
  params.tags = *rc::gen::container<std::vector<std::string>>(asciiText());
  params.metadata = *rc::gen::arbitrary<bool>() ? MetadataEdit::unsetAll() : anyEdit();

  std::string form;
  tally::detail::writeForm(form, refTo(params));
  const Read result = read(form);
  RC_ASSERT(!result.fault);
  RC_ASSERT(result.params == params);
}

}  // namespace

}  // namespace tally::test
