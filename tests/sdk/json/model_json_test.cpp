// toJson() and fromJson(): every model of the API description, and objects that an application has changed.
#include "json/model_json.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tally/amount.h>
#include <tally/payment_records.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "json/json_reader.h"
#include "operations.h"
#include "schema/any_object.h"
#include "sdk/support/harness.h"

namespace tally::detail {

using namespace std::string_literals;

namespace {

struct Leaf {
  std::string name{};
  std::optional<std::int64_t> count{};
};

struct Branch {
  std::optional<std::string> note{};
  std::optional<Leaf> leaf{};
  UnknownFields unknownFields{};
};

/// A field of every type, required and optional. Leaves keep no unknown fields; branches keep theirs.
struct Tree {
  OpenEnum<PaymentRecordCustomerPresence> kind{};
  std::optional<std::string> name{};
  std::optional<std::int64_t> rings{};
  std::optional<bool> hollow{};
  std::optional<std::chrono::sys_seconds> planted{};
  Leaf leaf{};
  std::optional<Leaf> oldLeaf{};
  std::vector<Leaf> leaves{};
  std::optional<std::vector<std::vector<Leaf>>> twigs{};
  std::vector<Branch> branches{};
  std::optional<Branch> top{};
  Metadata labels{};
  std::optional<Metadata> moreLabels{};
  RawJson raw{};
  std::optional<RawJson> moreRaw{};
  UnknownFields unknownFields{};
};

constexpr Field leafFields[] = {field<&Leaf::name>("name", Presence::required), field<&Leaf::count>("count")};

}  // namespace

template <>
const Struct Schema<Leaf>::value = describe<Leaf>("leaf", leafFields);

namespace {

constexpr Field branchFields[] = {
    field<&Branch::note>("note"),
    nullable(field<&Branch::leaf>("leaf", Presence::required)),
};

}  // namespace

template <>
const Struct Schema<Branch>::value = describe<Branch>("branch", branchFields);
template <>
const Struct Schema<PaymentRecord>::value;

namespace {

constexpr Field treeFields[] = {
    constant("object", "tree"),
    field<&Tree::kind>("kind", Presence::required),
    nullable(field<&Tree::name>("name", Presence::required)),
    field<&Tree::rings>("rings"),
    field<&Tree::hollow>("hollow"),
    nullable(field<&Tree::planted>("planted")),
    field<&Tree::leaf>("leaf", Presence::required),
    field<&Tree::oldLeaf>("old_leaf"),
    field<&Tree::leaves>("leaves", Presence::required),
    field<&Tree::twigs>("twigs"),
    field<&Tree::branches>("branches", Presence::required),
    field<&Tree::top>("top"),
    field<&Tree::labels>("labels", Presence::required),
    field<&Tree::moreLabels>("more_labels"),
    field<&Tree::raw>("raw", Presence::required),
    field<&Tree::moreRaw>("more_raw"),
};

constexpr Struct treeType = describe<Tree>("tree", treeFields);

using Json = boost::json::value;

Json parsedJson(const std::string& text) {
  boost::json::parse_options options;
  options.max_depth = 200;
  return boost::json::parse(text, {}, options);
}

/// The models of all resources.
std::vector<const Struct*> models() {
  std::set<const Struct*> found;
  for (const AnyOperation* operation : operations)
    found.insert(operation->resource->model);
  return {found.begin(), found.end()};
}

std::string anyText() {
  return *rc::gen::element("Tea"s, ""s, "42"s, "é😀"s, R"("quoted" \ /)"s, "\n\r\t\x01\x7f"s, "a\0b"s);
}

/// A name that fields of Tree could be confused with, or any other.
std::string anyName() {
  return *rc::gen::element("tax"s, "a key"s, ""s, "."s, "\\"s, "leaf.tax"s, "leaf."s, ".leaf"s,
                           "leaves[0].tax"s, "leaves[0]"s, "[0]"s, "branches[0].note"s,
                           "amount_requested.tax"s, "a\\.b"s, "é\"\n"s, "null"s, "name"s, "rings"s);
}

Json anyJson(int depth) {
  switch (*rc::gen::inRange(0, depth == 0 ? 5 : 7)) {
    case 0:
      return nullptr;
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::arbitrary<std::int64_t>();
    case 3:
      return *rc::gen::element(0.5, -1e300, 1e-7);
    case 4:
      return Json(anyText());
    case 5:
      return boost::json::array{anyJson(depth - 1), anyJson(depth - 1)};
    default:
      return boost::json::object{{anyName(), anyJson(depth - 1)}};
  }
}

boost::json::object anyObject(const Struct& type);

template <class Make>
boost::json::array severalOf(Make make) {
  boost::json::array array;
  for (int left = *rc::gen::inRange(0, 3); left > 0; --left)
    array.emplace_back(make());
  return array;
}

boost::json::object anyMetadata() {
  boost::json::object metadata;
  for (int left = *rc::gen::inRange(0, 3); left > 0; --left)
    metadata[anyName()] = anyText();
  return metadata;
}

Json anyValue(const Type& type) {
  switch (type.kind) {
    case Kind::text:
    case Kind::string:
      return Json(anyText());
    case Kind::integer:
    case Kind::time:
      return *rc::gen::arbitrary<std::int64_t>();
    case Kind::boolean:
      return *rc::gen::arbitrary<bool>();
    case Kind::object:
      return anyObject(*type.object);
    case Kind::list:
      return severalOf([&] { return anyValue(*type.list->element); });
    case Kind::metadata:
      return anyMetadata();
    case Kind::rawJson:
    case Kind::metadataEdit:
    case Kind::constant:
      break;
  }
  return anyJson(2);
}

/// An object with the fields that the service may send, and unknown ones, in any order.
boost::json::object anyObject(const Struct& type) {
  std::vector<std::pair<std::string, Json>> members;
  for (const Field& field : type.fields) {
    if (!field.required && *rc::gen::arbitrary<bool>()) continue;
    const bool mayBeNull = field.type.optional != nullptr && (field.nullable || !field.required);
    const bool isNull = mayBeNull && *rc::gen::arbitrary<bool>();
    const bool isConstant = field.type.kind == Kind::constant;
    members.emplace_back(field.name, isNull       ? Json(nullptr)
                                     : isConstant ? Json(field.constant)
                                                  : anyValue(field.type));
  }
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left)
    if (std::string name = anyName(); type.find(name) == nullptr) members.emplace_back(name, anyJson(2));
  for (std::size_t i = members.size(); i > 1; --i)
    std::swap(members[i - 1], members[*rc::gen::inRange<std::size_t>(0, i)]);
  boost::json::object object;
  for (auto& [name, value] : members)
    object[name] = std::move(value);
  return object;
}

/// The text of an object that is read from `json`, and from its text once more.
std::string writtenTwice(const Struct& type, const std::string& json) {
  AnyObject read{type};
  RC_ASSERT(readJson(json, read.ref()).value_or("") == "");
  const std::string written = jsonOf(read.ref());
  AnyObject again{type};
  RC_ASSERT(readJson(written, again.ref()).value_or("") == "");
  RC_ASSERT(jsonOf(again.ref()) == written);
  if (const UnknownFields* unknown = read.ref().unknownFields())
    RC_ASSERT(*again.ref().unknownFields() == *unknown);
  return written;
}

RC_GTEST_PROP(ModelJson, IsWrittenAsReceivedForEveryModel, ()) {
  for (const Struct* type : models()) {
    const Json sent = anyObject(*type);
    RC_ASSERT(parsedJson(writtenTwice(*type, boost::json::serialize(sent))) == sent);
  }
}

RC_GTEST_PROP(ModelJson, IsWrittenAsReceivedForEveryTypeOfField, ()) {
  const Json sent = anyObject(treeType);
  RC_ASSERT(parsedJson(writtenTwice(treeType, boost::json::serialize(sent))) == sent);
}

RC_GTEST_PROP(ModelJson, IsReadBackAsAnEqualObject, ()) {
  const auto sent = boost::json::serialize(anyObject(Schema<PaymentRecord>::value));
  const PaymentRecord record = fromJson<PaymentRecord>(sent).value();
  RC_ASSERT(fromJson<PaymentRecord>(toJson(record)).value() == record);
  for (const Amount& amount : {record.amountRequested, record.amountFailed})
    RC_ASSERT(fromJson<Amount>(toJson(amount)).value() == amount);
}

TEST(ModelJson, IsTheReceivedJsonOnOneLine) {
  const std::string sent = test::recordJson("pr_7");
  EXPECT_EQ(toJson(fromJson<PaymentRecord>(sent).value()), sent);
}

Tree treeOf(const std::string& json) {
  Tree tree;
  EXPECT_EQ(readJson(json, {treeType, &tree}), std::nullopt);
  return tree;
}

const std::string& smallTree() {
  static const std::string json = R"({"object":"tree","kind":"oak","name":null,"leaf":{"name":"a"},)"
                                  R"("leaves":[],"branches":[],"labels":{},"raw":null})";
  return json;
}

/// The small tree with more fields at its end.
std::string treeWith(const std::string& fields) {
  return smallTree().substr(0, smallTree().size() - 1) + ',' + fields + '}';
}

TEST(ModelJson, DistinguishesNullFieldsFromMissingOnes) {
  EXPECT_EQ(treeOf(smallTree()).unknownFields, UnknownFields{});
  const Tree tree = treeOf(treeWith(R"("rings":null,"top":{"note":null,"leaf":{"name":"b","count":null}})"));
  EXPECT_EQ(tree.unknownFields, (UnknownFields{{"rings", {"null"}}}));
  EXPECT_EQ(tree.top->unknownFields, (UnknownFields{{"leaf.count", {"null"}}, {"note", {"null"}}}));
}

TEST(ModelJson, DropsTheNullOfAnOptionalFieldWhenMerging) {
  Tree tree;
  ASSERT_EQ(mergeJson(R"({"rings":null})", {treeType, &tree}), std::nullopt);
  EXPECT_EQ(tree.unknownFields, UnknownFields{});
}

TEST(ModelJson, ContainsAFieldThatTheApplicationHasSet) {
  Tree tree = treeOf(treeWith(R"("rings":null,"tax":1)"));
  tree.rings = 7;
  EXPECT_EQ(parsedJson(jsonOf({treeType, &tree})), parsedJson(treeWith(R"("rings":7,"tax":1)")));
}

TEST(ModelJson, ListsUnknownFieldsLastInReceivedOrder) {
  const std::string json = R"({"tax":2,"rate":1,"currency":"usd","value":7})";
  const std::string sent = test::recordJson("pr_7");
  std::string odd = sent;
  odd.replace(odd.find(R"({"currency":"usd","value":1000})"), 31, json);
  std::string ordered = sent;
  ordered.replace(ordered.find(R"({"currency":"usd","value":1000})"), 31,
                  R"({"currency":"usd","value":7,"tax":2,"rate":1})");
  EXPECT_EQ(toJson(fromJson<PaymentRecord>(odd).value()), ordered);
}

TEST(UnknownFields, AreEqualInAnyOrder) {
  const UnknownFields fields{{"a", {"1"}}, {"b", {"2"}}};
  EXPECT_EQ(fields, (UnknownFields{{"b", {"2"}}, {"a", {"1"}}}));
  EXPECT_NE(fields, (UnknownFields{{"b", {"1"}}, {"a", {"2"}}}));
  EXPECT_NE(fields, (UnknownFields{{"a", {"1"}}}));
  EXPECT_NE((UnknownFields{{"a", {"1"}}}), (UnknownFields{{"a", {"null"}}}));
}

TEST(ModelJson, KeepsManyUnknownFieldsInTheirOriginalObjects) {
  std::string leaves;
  std::string others;
  for (int i = 0; i < 500; ++i) {
    leaves += (i == 0 ? "" : ",") + R"({"name":"","n":)"s + std::to_string(i) + '}';
    others += (i == 0 ? "" : ",") + R"("n)"s + std::to_string(i * 7 % 500) + R"(":0)";
  }
  std::string json = treeWith(others);
  json.replace(json.find("[]"), 2, '[' + leaves + ']');
  const Tree tree = treeOf(json);
  EXPECT_EQ(jsonOf({treeType, &tree}), json);
}

TEST(ModelJson, IsRefusedWithTheNameOfTheInvalidField) {
  std::string json = test::recordJson("pr_7");
  json.replace(json.find("1000"), 4, "true");
  const Error error = fromJson<PaymentRecord>(json).error();
  EXPECT_EQ(error.kind(), ErrorKind::invalidParameter);
  EXPECT_EQ(error.param(), "json");
  EXPECT_EQ(error.message(), "amount_requested.value: expected an integer");
  EXPECT_EQ(error.effect(), Effect::none);
  EXPECT_TRUE(fromJson<PaymentRecord>("").has_error());
  EXPECT_TRUE(fromJson<Amount>(R"({"currency":"eur"})").has_error());
}

PaymentRecord changed() {
  PaymentRecord record = fromJson<PaymentRecord>(test::recordJson("pr_7")).value();
  record.unknownFields = {{"tax", {"7"}}};
  return record;
}

TEST(ModelJson, ContainsInvalidRawJsonAsAString) {
  PaymentRecord record = changed();
  for (const auto& [text, written] :
       std::vector<std::pair<std::string, std::string>>{{"", "null"},
                                                        {" [1,\n2.50 ] ", "[1,2.50]"},
                                                        {"{", R"("{")"},
                                                        {"1 2", R"("1 2")"},
                                                        {"null,\"id\":1", R"("null,\"id\":1")"},
                                                        {"\xFF", "\"\xEF\xBF\xBD\""}}) {
    record.customerDetails = RawJson{text};
    record.unknownFields = {{"tax", {text}}};
    const std::string json = toJson(record);
    EXPECT_NE(json.find(R"("customer_details":)" + written + ','), std::string::npos) << json;
    EXPECT_TRUE(json.ends_with(R"("tax":)" + written + '}')) << json;
  }
}

TEST(ModelJson, ReplacesInvalidUtf8) {
  PaymentRecord record = changed();
  record.description = "caf\xC3 \xE2\x82";
  record.metadata = {{"\xFF", "\xED\xA0\x80"}};
  const std::string replacement = "\xEF\xBF\xBD";
  const PaymentRecord read = fromJson<PaymentRecord>(toJson(record)).value();
  EXPECT_EQ(read.description, "caf" + replacement + ' ' + replacement + replacement);
  EXPECT_EQ(read.metadata, (Metadata{{replacement, replacement + replacement + replacement}}));
}

TEST(ModelJson, OmitsUnknownFieldsWithUnusablePaths) {
  PaymentRecord record = changed();
  const std::string before = toJson(record);
  for (const char* path : {"id", "object", "amount_requested.value", "nothing.tax", "description.tax", ".tax",
                           "amount_requested[0].tax", "i\\d", "processor_details.custom.payment_reference"})
    record.unknownFields.push_back({path, {"1"}});
  EXPECT_EQ(toJson(record), before);
}

RC_GTEST_PROP(ModelJson, IsValidForAnyObject,
              (const std::string& text, const std::string& other, const std::string& path)) {
  PaymentRecord record = changed();
  record.id = text;
  record.description = other;
  record.metadata = {{text, other}, {other, text}};
  record.customerDetails = RawJson{text};
  record.shippingDetails = RawJson{'"' + other};
  record.unknownFields = {{path, {text}}, {"amount_requested." + path, {other}}, {other, {"1"}}};
  const std::string json = toJson(record);
  (void)parsedJson(json);  // throws
  RC_ASSERT(json.find('\n') == std::string::npos);
}

}  // namespace
}  // namespace tally::detail
