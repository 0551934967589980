#include "postgres/postgres_array.h"

#include <string_view>

#include <gtest/gtest.h>

namespace tally::test {
namespace {

TEST(NumberFromPostgres, EndsWithItsText) {
  constexpr std::string_view text = "1234";
  EXPECT_EQ(detail::numberOf(text), 1234U);
  EXPECT_EQ(detail::numberOf(text.substr(0, 2)), 12U);
}

}  // namespace
}  // namespace tally::test
