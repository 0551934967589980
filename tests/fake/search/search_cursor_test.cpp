#include "search/search_cursor.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tally::fake::detail {

namespace {

RC_GTEST_PROP(SearchCursors, RoundTripEveryPosition, (std::int64_t created, std::uint64_t sequence)) {
  const SearchCursors cursors{1, "scope", "query"};
  RC_ASSERT(cursors.read(cursors.write({created, sequence})) == (Position{created, sequence}));
}

TEST(SearchCursors, AreValidOnlyForTheirServiceScopeAndQuery) {
  const std::string cursor = SearchCursors{1, "scope", "query"}.write({5, 6});
  EXPECT_TRUE((SearchCursors{1, "scope", "query"}.read(cursor)));
  EXPECT_FALSE((SearchCursors{2, "scope", "query"}.read(cursor)));
  EXPECT_FALSE((SearchCursors{1, "other", "query"}.read(cursor)));
  EXPECT_FALSE((SearchCursors{1, "scope", "other"}.read(cursor)));
  EXPECT_FALSE((SearchCursors{1, "scopeq", "uery"}.read(cursor)));
}

TEST(SearchCursors, AreRefusedWhenInvalid) {
  const SearchCursors cursors{1, "scope", "query"};
  const std::string cursor = cursors.write({5, 6});
  EXPECT_FALSE(cursors.read(""));
  EXPECT_FALSE(cursors.read("page_"));
  EXPECT_FALSE(cursors.read(cursor + "0"));
  EXPECT_FALSE(cursors.read(cursor.substr(1)));
  for (std::size_t i = 0; i < cursor.size(); ++i) {
    std::string forged = cursor;
    forged[i] = forged[i] == '1' ? '2' : '1';
    EXPECT_FALSE(cursors.read(forged)) << i;
  }
}

TEST(SearchCursors, AreRefusedWhenSpelledDifferently) {
  const SearchCursors cursors{1, "scope", "query"};
  std::string cursor = cursors.write({10, 11});
  ASSERT_TRUE(cursors.read(cursor));
  std::ranges::replace(cursor, 'b', 'B');
  EXPECT_FALSE(cursors.read(cursor));
}

RC_GTEST_PROP(SearchCursors, AreRefusedWhenTheyAreRandomBytes, (const std::string& bytes)) {
  RC_ASSERT(!(SearchCursors{1, "scope", "query"}.read(bytes)));
}

}  // namespace

}  // namespace tally::fake::detail
