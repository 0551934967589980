#include <map>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tally/payment_records.h>

#include <gtest/gtest.h>

namespace tally {
namespace {

const MetadataEdit expectedEdits{{"order", "42"}, {"till", "7"}};

TEST(MetadataEdits, CanBeMadeFromMaps) {
  EXPECT_EQ((MetadataEdit{Metadata{{"order", "42"}, {"till", "7"}}}), expectedEdits);
  EXPECT_EQ((MetadataEdit{std::map<std::string, std::string>{{"order", "42"}, {"till", "7"}}}),
            expectedEdits);
  EXPECT_EQ((MetadataEdit{std::unordered_map<std::string, std::string>{{"order", "42"}}}),
            (MetadataEdit{{"order", "42"}}));
  EXPECT_TRUE(MetadataEdit{Metadata{}}.empty());
}

TEST(MetadataEdits, CanBeMadeFromRangesOfPairs) {
  const std::vector<std::pair<const char*, std::string>> pairs{{"order", "42"}, {"till", "7"}};
  EXPECT_EQ(MetadataEdit{pairs}, expectedEdits);
  EXPECT_EQ(MetadataEdit{std::span{pairs}}, expectedEdits);
  const std::pair<std::string_view, std::string_view> array[] = {{"order", "42"}, {"till", "7"}};
  EXPECT_EQ(MetadataEdit{array}, expectedEdits);
  const std::vector<int> numbers{42, 7};
  EXPECT_EQ(MetadataEdit{numbers | std::views::transform([](int number) {
                           return std::pair{number == 42 ? "order" : "till", std::to_string(number)};
                         })},
            expectedEdits);
}

TEST(MetadataEdits, AreImplicitlyConvertedFromMetadata) {
  const Metadata pairs{{"order", "42"}, {"till", "7"}};
  EXPECT_EQ(PaymentRecordReportFailedParams{.metadata = pairs}.metadata, expectedEdits);
}

TEST(MetadataEdits, CannotBeMadeFromRangesOfAnythingButPairsOfStrings) {
  EXPECT_FALSE((std::is_constructible_v<MetadataEdit, std::string>));
  EXPECT_FALSE((std::is_constructible_v<MetadataEdit, std::vector<std::string>>));
  EXPECT_FALSE((std::is_constructible_v<MetadataEdit, std::map<std::string, int>>));
  EXPECT_FALSE((std::is_constructible_v<MetadataEdit, const std::string(&)[2]>));
}

}  // namespace
}  // namespace tally
