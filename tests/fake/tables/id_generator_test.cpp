#include "tables/id_generator.h"

#include <set>

#include <gtest/gtest.h>

namespace tally::fake::detail {

namespace {

TEST(IdGenerator, AppendsTwentyFourLettersOrDigitsToThePrefix) {
  const std::string id = IdGenerator{1, 1}.next("pr_");
  EXPECT_EQ(id.size(), 27U);
  EXPECT_TRUE(id.starts_with("pr_"));
  EXPECT_EQ(id.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 3),
            std::string::npos);
}

TEST(IdGenerator, IsReproducibleFromTheSeed) {
  IdGenerator one{7, 1};
  IdGenerator other{7, 1};
  EXPECT_EQ(one.next("a_"), other.next("a_"));
  EXPECT_EQ(one.next("a_"), other.next("a_"));
}

TEST(IdGenerator, NeverRepeatsAnIdentifier) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::uint64_t stream = 0; stream < 5; ++stream) {
      IdGenerator ids{seed, stream};
      for (int n = 0; n < 100; ++n)
        EXPECT_TRUE(seen.insert(ids.next("")).second);
    }
  }
}

}  // namespace

}  // namespace tally::fake::detail
