#include "text/suggestion.h"

#include <array>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace tally::detail {

namespace {

constexpr std::array<std::string_view, 3> names{"work", "status", "retry"};

TEST(Dissimilarity, IsTheProportionOfEditedCharacters) {
  EXPECT_EQ(dissimilarity("", ""), 0);
  EXPECT_EQ(dissimilarity("retry", "retry"), 0);
  EXPECT_EQ(dissimilarity("retri", "retry"), 0.2) << "replaced";
  EXPECT_EQ(dissimilarity("rety", "retry"), 0.2) << "inserted";
  EXPECT_EQ(dissimilarity("rettry", "retry"), 1 / 6.0) << "deleted";
  EXPECT_EQ(dissimilarity("wrok", "work"), 0.25) << "exchanged";
  EXPECT_EQ(dissimilarity("", "work"), 1);
  EXPECT_EQ(dissimilarity("abc", "xyz"), 1);
}

TEST(Dissimilarity, DependsOnlyOnTheFirst64Characters) {
  const std::string same(64, 'a');
  EXPECT_EQ(dissimilarity(same + "b", same + "c"), 0);
  EXPECT_GT(dissimilarity(same.substr(1) + "b", same.substr(1) + "c"), 0);
}

TEST(Dissimilarity, IsOneIfTheSizesAloneReachTheLimit) {
  EXPECT_EQ(dissimilarity("work", "worked", 0.3), 1);
  EXPECT_EQ(dissimilarity("work", "worked", 0.5), 1 / 3.0);
}

TEST(Dissimilarity, IsOneIfTheBeginningsReachTheLimit) {
  EXPECT_EQ(dissimilarity("work", "walk", 0.1), 1);
  EXPECT_EQ(dissimilarity("work", "walk", 0.6), 0.5);
}

TEST(Dissimilarity, IsExactBelowTheLimit) {
  std::minstd_rand random{1};
  const auto text = [&] {
    std::string result(random() % 12, 'a');
    for (char& c : result)
      c = static_cast<char>('a' + random() % 3);
    return result;
  };
  for (int times = 0; times < 20'000; ++times) {
    const std::string a = text();
    const std::string b = text();
    const double limit = static_cast<double>(1 + random() % 9) / 10;
    const double exact = dissimilarity(a, b);
    const double limited = dissimilarity(a, b, limit);
    ASSERT_TRUE(exact < limit ? limited == exact : limited >= limit) << a << ' ' << b << ' ' << limit;
  }
}

TEST(Suggestion, ContainsTheMostSimilarName) {
  EXPECT_EQ(suggestion("wrok", names), "; did you mean 'work'?");
  EXPECT_EQ(suggestion("stat", names), "; did you mean 'status'?") << "a beginning";
  EXPECT_EQ(suggestion("migrate", names), "");
  EXPECT_EQ(suggestion("", names), "");
}

TEST(Suggestion, ListsAllNamesIfNoneIsSimilar) {
  EXPECT_EQ(suggestionOrList("retyr", names), "; did you mean 'retry'?");
  EXPECT_EQ(suggestionOrList("migrate", names), "; expected one of work, status, retry");
  EXPECT_EQ(suggestionOrList("migrate", std::array<std::string_view, 0>{}), "");
}

}  // namespace

}  // namespace tally::detail
