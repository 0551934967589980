#include "tables/object_merge.h"

#include <gtest/gtest.h>

#include "fake/support/gadget.h"

namespace tally::test {

namespace {

using fake::detail::copyField;
using fake::detail::mergeGiven;
using tally::detail::Field;
using tally::detail::Schema;

const Field& fieldOf(std::string_view name) {
  return *Schema<Gadget>::value.find(name);
}

void copy(std::string_view name, const Gadget& from, Gadget& to) {
  copyField(fieldOf(name), refTo(from), fieldOf(name), refTo(to));
}

Gadget full() {
  Gadget gadget;
  gadget.id = "gad_1";
  gadget.livemode = true;
  gadget.created = std::chrono::sys_seconds{std::chrono::seconds{7}};
  gadget.name = "Pot";
  gadget.note = "Note";
  gadget.size = 4;
  gadget.active = true;
  gadget.main = {"Body", 5};
  gadget.spare = Part{"Spare", {}};
  gadget.parts = {{"a", 1}, {"b", {}}};
  gadget.extra = RawJson{"[1]"};
  gadget.parent = "gad_0";
  gadget.serial = "ser_1";
  gadget.metadata = {{"a", "1"}};
  return gadget;
}

TEST(CopyField, CopiesFieldsOfEveryKind) {
  const Gadget from = full();
  Gadget to;
  to.parts = {{"old", 9}};
  for (const Field& field : Schema<Gadget>::value.fields)
    if (field.member != nullptr) copyField(field, refTo(from), field, refTo(to));
  EXPECT_EQ(to, from);
}

TEST(CopyField, ClearsFieldsThatAreEmptyInTheSource) {
  Gadget to = full();
  for (const char* name : {"note", "spare", "extra", "parent"})
    copy(name, Gadget{}, to);
  EXPECT_EQ(to.note, std::nullopt);
  EXPECT_EQ(to.spare, std::nullopt);
  EXPECT_EQ(to.extra, std::nullopt);
  EXPECT_EQ(to.parent, std::nullopt);
}

TEST(CopyField, ClearsFieldsWithinObjects) {
  Gadget to = full();
  Gadget from = full();
  from.main.weight.reset();
  copy("main", from, to);
  EXPECT_EQ(to.main, (Part{"Body", {}}));
}

TEST(MergeGiven, SetsOnlyTheGivenFields) {
  GadgetParams params;
  params.name = "New";
  params.note = "";
  params.spare = Part{"Other", 3};
  params.parts = std::vector{Part{"c", {}}};
  params.parent = "gad_2";
  params.metadata.set("b", "2");
  Gadget gadget = full();
  mergeGiven(refTo(params), refTo(gadget));

  Gadget expected = full();
  expected.name = "New";
  expected.note = "";
  expected.spare = Part{"Other", 3};
  expected.parts = {{"c", {}}};
  expected.parent = "gad_2";
  expected.metadata = {{"a", "1"}, {"b", "2"}};
  EXPECT_EQ(gadget, expected);
}

TEST(MergeGiven, SkipsFieldsThatTheTargetLacks) {
  GadgetParams params;
  params.tags = {"x"};
  params.at = std::chrono::sys_seconds{std::chrono::seconds{1}};
  Gadget gadget = full();
  mergeGiven(refTo(params), refTo(gadget));
  EXPECT_EQ(gadget, full());
}

Metadata edited(const MetadataEdit& edit) {
  GadgetParams params;
  params.metadata = edit;
  Gadget gadget;
  gadget.metadata = {{"a", "1"}, {"b", "2"}};
  mergeGiven(refTo(params), refTo(gadget));
  return gadget.metadata;
}

TEST(MergeGiven, AppliesMetadataEdits) {
  EXPECT_EQ(edited({}), (Metadata{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(edited(MetadataEdit{{"b", "3"}, {"c", "4"}}), (Metadata{{"a", "1"}, {"b", "3"}, {"c", "4"}}));
  EXPECT_EQ(edited(MetadataEdit{}.unset("a").unset("never")), (Metadata{{"b", "2"}}));
  EXPECT_EQ(edited(MetadataEdit::unsetAll()), Metadata{});
}

}  // namespace

}  // namespace tally::test
