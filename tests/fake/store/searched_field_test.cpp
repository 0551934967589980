#include "store/searched_field.h"

#include <gtest/gtest.h>

#include "fake/support/gadget.h"

namespace tally::test {

namespace {

using fake::detail::FieldPath;
using fake::detail::Scalar;
using fake::detail::SearchedField;

SearchedField field(std::string_view name, std::optional<std::string> key = {}) {
  return {FieldPath{tally::detail::Schema<Gadget>::value, name}, std::move(key)};
}

TEST(SearchedField, IsAFieldOrAMapKey) {
  Gadget gadget;
  gadget.size = 4;
  gadget.metadata = {{"k", "v"}};
  EXPECT_EQ(field("size").in(refTo(gadget)), Scalar{std::int64_t{4}});
  EXPECT_EQ(field("metadata", "k").in(refTo(gadget)), Scalar{std::string_view{"v"}});
  EXPECT_EQ(field("metadata", "l").in(refTo(gadget)), Scalar{});
  EXPECT_TRUE(field("metadata", "k").isPresent(refTo(gadget)));
  EXPECT_FALSE(field("metadata", "l").isPresent(refTo(gadget)));
}

TEST(SearchedField, IsMissingWhenAnEnclosingObjectIsMissing) {
  Gadget gadget;
  EXPECT_EQ(field("spare.name").in(refTo(gadget)), Scalar{});
  EXPECT_FALSE(field("spare.name").isPresent(refTo(gadget)));
  gadget.spare = Part{.name = "Lid"};
  EXPECT_EQ(field("spare.name").in(refTo(gadget)), Scalar{std::string_view{"Lid"}});
  EXPECT_TRUE(field("spare.name").isPresent(refTo(gadget)));
}

TEST(SearchedField, CanBePresentWithoutBeingASingleValue) {
  const Gadget gadget;
  EXPECT_TRUE(field("parts").isPresent(refTo(gadget)));
  EXPECT_EQ(field("parts").in(refTo(gadget)), Scalar{});
}

TEST(SearchedField, IsIdentifiedByItsPathAndKey) {
  EXPECT_EQ(field("main.name"), field("main.name"));
  EXPECT_NE(field("main.name"), field("spare.name"));
  EXPECT_NE(field("metadata", "k"), field("metadata", "l"));
}

}  // namespace

}  // namespace tally::test
