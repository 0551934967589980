#include "tables/assignments.h"

#include <array>
#include <stdexcept>

#include <gtest/gtest.h>

#include "fake/support/gadget.h"

namespace tally::test {

namespace {

using fake::detail::Assignment;
using fake::detail::Assignments;
using fake::detail::FieldPath;
using tally::detail::Schema;

Gadget applied(std::span<const Assignment> rules, Gadget gadget) {
  Assignments{Schema<Gadget>::value, rules}.apply(refTo(gadget));
  return gadget;
}

Gadget assigned(const Assignment& rule, Gadget gadget) {
  return applied({&rule, 1}, std::move(gadget));
}

TEST(Assignments, CopyFieldsAndObjects) {
  Gadget gadget;
  gadget.size = 8;
  gadget.main = {"Body", 5};
  EXPECT_EQ(assigned({.target = "main.weight", .source = "size"}, gadget).main.weight, 8);
  EXPECT_EQ(assigned({.target = "spare", .source = "main"}, gadget).spare, gadget.main);
}

TEST(Assignments, CreateMissingObjectsThatEncloseTheTarget) {
  Gadget gadget;
  gadget.name = "Pot";
  EXPECT_EQ(assigned({.target = "spare.name", .source = "name"}, gadget).spare, (Part{"Pot", {}}));
}

TEST(Assignments, ClearTheTargetWhenTheSourceIsEmpty) {
  Gadget gadget;
  gadget.main.weight = 3;
  EXPECT_EQ(assigned({.target = "main.weight", .source = "spare.weight"}, gadget).main.weight, std::nullopt);
}

TEST(Assignments, SetConstants) {
  EXPECT_EQ(assigned({.target = "main.weight", .constant = "0"}, {}).main.weight, 0);
  EXPECT_EQ(assigned({.target = "name", .constant = "\"Tea\""}, {}).name, "Tea");
  EXPECT_EQ(assigned({.target = "active", .constant = "true"}, {}).active, true);
  EXPECT_EQ(assigned({.target = "extra", .constant = "[1]"}, {}).extra, RawJson{"[1]"});
  Gadget gadget;
  gadget.note = "Note";
  EXPECT_EQ(assigned({.target = "note", .constant = "null"}, gadget).note, std::nullopt);
}

TEST(Assignments, AreMadeInOrder) {
  const std::array<Assignment, 2> rules{
      {{.target = "size", .constant = "6"}, {.target = "main.weight", .source = "size"}}};
  EXPECT_EQ(applied(rules, {}).main.weight, 6);
}

TEST(Assignments, RefuseUnknownFieldsAndMismatchedConstants) {
  EXPECT_THROW(assigned({.target = "colour", .constant = "1"}, {}), std::logic_error);
  EXPECT_THROW(assigned({.target = "size", .source = "main.colour"}, {}), std::logic_error);
  EXPECT_THROW(assigned({.target = "size.more", .constant = "1"}, {}), std::logic_error);
  EXPECT_THROW(assigned({.target = "object", .constant = "\"x\""}, {}), std::logic_error);
  EXPECT_THROW(assigned({.target = "size", .constant = "\"x\""}, {}), std::logic_error);
}

TEST(FieldPath, FindsAFieldOnlyOnceItHasAValue) {
  const FieldPath path{Schema<Gadget>::value, "spare.weight"};
  Gadget gadget;
  EXPECT_FALSE(path.holder(refTo(gadget)));
  EXPECT_FALSE(path.find(refTo(gadget)));
  gadget.spare = Part{"Spare", {}};
  EXPECT_EQ(&path.holder(refTo(gadget)).as<Part>(), &*gadget.spare);
  EXPECT_FALSE(path.find(refTo(gadget)));
  gadget.spare->weight = 4;
  EXPECT_EQ(&path.find(refTo(gadget)).as<std::int64_t>(), &*gadget.spare->weight);
}

TEST(FieldPath, CreatesSeveralLevelsOfMissingObjects) {
  const FieldPath path{Schema<Gadget>::value, "spare.maker.name"};
  Gadget gadget;
  EXPECT_FALSE(path.find(refTo(gadget)));
  path.make(refTo(gadget)).text() = "Smith";
  EXPECT_EQ(gadget.spare->maker, Maker{"Smith"});
}

TEST(FieldPath, CreatesMissingObjectsAndKeepsExistingOnes) {
  const FieldPath path{Schema<Gadget>::value, "spare.name"};
  Gadget gadget;
  path.make(refTo(gadget)).text() = "Spare";
  EXPECT_EQ(gadget.spare, (Part{"Spare", {}}));
  EXPECT_EQ(&path.make(refTo(gadget)).text(), &gadget.spare->name);
  EXPECT_EQ(gadget.spare, (Part{"Spare", {}}));
}

}  // namespace

}  // namespace tally::test
