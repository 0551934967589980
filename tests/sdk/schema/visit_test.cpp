#include "schema/visit.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tally::detail {

namespace {

enum class Color : std::uint8_t { red };

struct Inner {
  std::int64_t size = 0;
};

struct Outer {
  Id<Inner> id{};
  OpenEnum<Color> color{};
  std::string name{};
  std::int64_t count = 0;
  bool active = false;
  std::chrono::sys_seconds created{};
  Inner inner{};
  std::vector<std::string> tags{};
  Metadata metadata{};
  MetadataEdit edit{};
  std::optional<RawJson> extra{};
};

constexpr Field innerFields[] = {field<&Inner::size>("size")};

}  // namespace

template <>
const Struct Schema<Inner>::value = describe<Inner>("inner", innerFields);

namespace {

constexpr Field outerFields[] = {
    field<&Outer::id>("text"),       field<&Outer::color>("text"),     field<&Outer::name>("text"),
    field<&Outer::count>("integer"), field<&Outer::active>("boolean"), field<&Outer::created>("time"),
    field<&Outer::inner>("object"),  field<&Outer::tags>("list"),      field<&Outer::metadata>("metadata"),
    field<&Outer::edit>("edit"),     field<&Outer::extra>("raw"),      constant("constant", "outer"),
};
constexpr Struct outerType = describe<Outer>("outer", outerFields);

/// Tells as what it is called.
struct Teller {
  std::string operator()(const std::string&) const { return "text"; }
  std::string operator()(std::int64_t) const { return "integer"; }
  std::string operator()(bool) const { return "boolean"; }
  std::string operator()(std::chrono::sys_seconds) const { return "time"; }
  std::string operator()(ConstObjectRef) const { return "object"; }
  std::string operator()(ConstListRef) const { return "list"; }
  std::string operator()(const Metadata&) const { return "metadata"; }
  std::string operator()(const MetadataEdit&) const { return "edit"; }
  std::string operator()(const RawJson&) const { return "raw"; }
};

TEST(Visit, PassesEachKindAsItsType) {
  Outer outer{.extra = RawJson{"1"}};
  const ObjectRef object{outerType, &outer};
  for (const Field& field : outerFields) {
    const ConstValueRef value = object.value(field);
    EXPECT_EQ(value ? visit(value, Teller{}) : "constant", field.name);
    EXPECT_EQ(value ? visit(object.member(field).make(), Teller{}) : "constant", field.name);
  }
}

TEST(Visit, PassesTheValueByReference) {
  Outer outer;
  const ObjectRef object{outerType, &outer};
  const auto set = [](auto&& value) {
    if constexpr (std::is_same_v<decltype(value), std::string&>) value = "new";
    if constexpr (std::is_same_v<decltype(value), ListRef&&>) value.append().text() = "new";
  };
  for (const Field& field : outerFields)
    if (field.member != nullptr) visit(object.member(field).make(), set);
  EXPECT_EQ(outer.id, "new");
  EXPECT_EQ(outer.color.str(), "new");
  EXPECT_EQ(outer.name, "new");
  EXPECT_EQ(outer.tags, std::vector<std::string>{"new"});
}

}  // namespace

}  // namespace tally::detail
