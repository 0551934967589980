// What is prefetched when, regardless of who fetches it.

#include "pagination/prefetch_schedule.h"

#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace tally::detail {
namespace {

/// A page followed by `next`; empty: the last page.
RawPage page(const std::string& next) {
  RawPage raw;
  if (!next.empty()) raw.next = next;
  return raw;
}

/// The cursor of the page to fetch now; `-` if none.
std::string begun(PrefetchSchedule& pages) {
  const std::string* cursor = pages.begin();
  return cursor == nullptr ? "-" : *cursor;
}

TEST(PrefetchSchedule, FetchesNothingBeforeTheFirstAccess) {
  PrefetchSchedule pages;
  EXPECT_FALSE(pages.hasNext());
  EXPECT_EQ(begun(pages), "-");
}

TEST(PrefetchSchedule, FetchesOnePageAtATime) {
  PrefetchSchedule pages;
  EXPECT_TRUE(pages.ask(""));
  EXPECT_EQ(begun(pages), "");
  EXPECT_FALSE(pages.here());
  EXPECT_EQ(begun(pages), "-");
}

TEST(PrefetchSchedule, RequestsAnotherPageAfterTheAwaitedOne) {
  PrefetchSchedule pages;
  (void)pages.ask("");
  (void)pages.begin();
  pages.fetched(page("b"));
  EXPECT_TRUE(pages.here());
  EXPECT_EQ(begun(pages), "b") << "before the first page is taken";
  pages.fetched(page("c"));
  EXPECT_EQ(begun(pages), "-") << "no caller waits for b";
  (void)pages.take();
  EXPECT_FALSE(pages.here());
  EXPECT_EQ(begun(pages), "-") << "still not";
  EXPECT_TRUE(pages.ask("b"));
  EXPECT_TRUE(pages.here());
  EXPECT_EQ(begun(pages), "c");
}

TEST(PrefetchSchedule, ReturnsPagesInOrder) {
  PrefetchSchedule pages;
  (void)pages.ask("");
  (void)pages.begin();
  RawPage first = page("b");
  first.body = "first";
  pages.fetched(std::move(first));
  (void)pages.begin();
  pages.fetched({.body = "second"});
  EXPECT_EQ(pages.take().body, "first");
  EXPECT_TRUE(pages.ask("b"));
  EXPECT_EQ(pages.take().body, "second");
}

TEST(PrefetchSchedule, EndsWhenNoMorePagesFollow) {
  PrefetchSchedule pages;
  (void)pages.ask("");
  (void)pages.begin();
  pages.fetched(page(""));
  (void)pages.take();
  EXPECT_EQ(begun(pages), "-");
  EXPECT_TRUE(pages.ask("z")) << "the caller decides";
  EXPECT_EQ(begun(pages), "z");
}

TEST(PrefetchSchedule, RestartsAfterAnError) {
  PrefetchSchedule pages;
  (void)pages.ask("a");
  (void)pages.begin();
  pages.fetched({.error = Error{{.message = "No."}}});
  EXPECT_EQ(begun(pages), "-");
  EXPECT_EQ(pages.take().error->message(), "No.");
  EXPECT_TRUE(pages.ask("a"));
  EXPECT_EQ(begun(pages), "a");
}

TEST(PrefetchSchedule, AcceptsOnlyTheNextPageInOrder) {
  PrefetchSchedule pages;
  (void)pages.ask("");
  (void)pages.begin();
  pages.fetched(page("b"));
  (void)pages.take();
  EXPECT_FALSE(pages.ask("x")) << "b must be fetched";
  EXPECT_TRUE(pages.ask("b"));
  (void)pages.begin();
  EXPECT_FALSE(pages.ask("x")) << "it is being fetched";
  pages.fetched(page("c"));
  EXPECT_FALSE(pages.ask("c")) << "it comes first";
  EXPECT_TRUE(pages.ask("b"));
}

}  // namespace
}  // namespace tally::detail
