#include "packing/shared_text.h"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/engine.h"
#include "objects/objects.h"
#include "store/collection.h"
#include "tables/catalog.h"
#include "tables/object_merge.h"

namespace tally::fake::detail {

namespace {

std::string packed(const SharedText& shared, std::string_view text) {
  std::string packed;
  shared.pack(text, packed);
  return packed;
}

std::string unpacked(const SharedText& shared, std::string_view packed, std::size_t size) {
  std::string text;
  shared.unpack(packed, size, text);
  return text;
}

/// Whether the text is the same after packing and unpacking.
testing::AssertionResult survives(const SharedText& shared, std::string_view text) {
  const std::string back = unpacked(shared, packed(shared, text), text.size());
  if (back == text) return testing::AssertionSuccess();
  return testing::AssertionFailure() << text << "\nbecomes\n" << back;
}

/// As long as asked, and without repetitions.
std::string varied(std::size_t size) {
  std::string text;
  for (int number = 0; text.size() < size; ++number)
    text += std::to_string(number) + ',';
  text.resize(size);
  return text;
}

const std::string example = R"({"id":"pr_1","object":"payment_record","amount":{"currency":"usd","value":1},)"
                            R"("metadata":{},"description":"","livemode":false})";

TEST(SharedText, StoresWhatATextRepeatsOnlyOnce) {
  const SharedText shared{example};
  std::string other = example;
  other.replace(other.find("pr_1"), 4, "pr_NZd1wEDvXQlbg4pSGCo4jgL1");
  EXPECT_TRUE(survives(shared, example));
  EXPECT_LE(packed(shared, example).size(), 4U);
  EXPECT_TRUE(survives(shared, other));
  EXPECT_LE(packed(shared, other).size(), 27 + 12U);
}

/// The heads of their steps are all that they have in addition.
TEST(SharedText, HardlyLengthensTextsThatRepeatNothing) {
  const SharedText shared{example};
  for (const std::size_t size :
       std::initializer_list<std::size_t>{0, 1, 7, 8, 9, 254, 255, 256, 510, 511, 100'000}) {
    const std::string text = varied(size);
    EXPECT_TRUE(survives(shared, text));
    EXPECT_LE(packed(shared, text).size(), size + 4 * ((size + 254) / 255));
  }
}

/// Words of several places have the same slot in the table of places.
TEST(SharedText, FindsEachPartWhateverElseItHas) {
  const std::string text = varied(2'000);
  const SharedText shared{text};
  for (std::size_t at = 0; at + 8 <= text.size(); ++at)
    EXPECT_EQ(packed(shared, text.substr(at, 8)).size(), 4U) << at;
}

TEST(SharedText, SharesPartsOfAnySize) {
  for (const std::size_t size : std::initializer_list<std::size_t>{0, 1, 7, 8, 9, 15, 16, 17, 254, 255, 256,
                                                                   510, 511, 65'534, 65'535}) {
    const std::string text = varied(size);
    const SharedText shared{text};
    EXPECT_TRUE(survives(shared, text));
    EXPECT_TRUE(survives(shared, "x" + text + "y"));
    if (size >= 8) {
      EXPECT_LE(packed(shared, text).size(), 4 * (size / 255 + 1));
    }
  }
}

TEST(SharedText, SharesOnlyTheFirst64KiB) {
  const std::string text = varied(200'000);
  const SharedText shared{text};
  EXPECT_TRUE(survives(shared, text));
  EXPECT_TRUE(survives(shared, std::string_view{text}.substr(65'500)));
  EXPECT_GT(packed(shared, std::string_view{text}.substr(100'000)).size(), 100'000U);
}

TEST(SharedText, AppendsToWhatIsThere) {
  const SharedText shared{example};
  std::string packed = "before";
  shared.pack(example, packed);
  EXPECT_TRUE(packed.starts_with("before"));
  std::string text = "before";
  shared.unpack(std::string_view{packed}.substr(6), example.size(), text);
  EXPECT_EQ(text, "before" + example);
}

TEST(SharedText, MayHaveNothingToShare) {
  EXPECT_TRUE(survives(SharedText::none(), example));
  EXPECT_TRUE(survives(SharedText{"short"}, "short"));
}

/// The first place of a repeated part may be followed by something else.
TEST(SharedText, ChoosesPlacesInTheOrderOfTheText) {
  const SharedText shared{R"("currency":"usd","first":1,"currency":"usd","other":2)"};
  const std::string text = R"("currency":"usd","first":1,??"currency":"usd","other":2)";
  EXPECT_TRUE(survives(shared, text));
  EXPECT_EQ(packed(shared, text).size(), 2 * 4 + 2U);
}

RC_GTEST_PROP(SharedText, KeepsEveryText, ()) {
  const auto common = *rc::gen::container<std::string>(rc::gen::inRange('a', 'c'));
  auto text = *rc::gen::element(common, common + common, std::string{});
  const auto edits = *rc::gen::container<std::vector<std::pair<std::size_t, std::string>>>(
      rc::gen::pair(rc::gen::inRange<std::size_t>(0, text.size() + 1), rc::gen::arbitrary<std::string>()));
  for (const auto& [at, inserted] : edits)
    text.insert(at, inserted);
  RC_ASSERT(survives(SharedText{common}, text));
}

/// Objects of all kinds take little memory.
TEST(StoredObject, SharesTheJsonOfTheExampleOfItsResource) {
  const Engine engine{ServiceOptions{}};
  for (const ResourceType& type : engine.catalog().types()) {
    AnyObject object{type.model()};
    copyObject(type.example(), object.ref());
    type.id(object.ref()) = "id_NZd1wEDvXQlbg4pSGCo4jgL1";
    const std::string json = encode(object.ref());
    Collection collection;
    storeObject(type, collection, {}, object.ref(), json, 0);
    const Record& record = collection.at({});
    EXPECT_EQ(record.json(), json);
    EXPECT_LE(record.packed().size(), json.size() / 2) << type.resource().name;
  }
}

}  // namespace

}  // namespace tally::fake::detail
