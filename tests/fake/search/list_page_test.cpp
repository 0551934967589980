#include <algorithm>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fake/support/requests.h"

namespace tally::test {

namespace {

using Ids = std::vector<std::string>;

const std::string path = "/v1/payment_records";

struct Page {
  Ids ids{};
  bool hasMore = false;

  bool operator==(const Page&) const = default;
};

Page pageOf(const HttpResponse& response) {
  const auto body = bodyOf(response);
  return {idsOf(body), body.at("has_more").as_bool()};
}

class Lists : public testing::Test {
 protected:
  /// Adds `count` records.
  void insert(int count) {
    for (int n = 0; n < count; ++n)
      ids.push_back(one.insert());
  }
  Page page(const std::string& query = {}) { return pageOf(one.get(path + query)); }
  /// The identifiers of the inserted records from `first` to `last`, newest first.
  [[nodiscard]] Ids range(std::size_t first, std::size_t last) const {
    Ids result{ids.begin() + static_cast<std::ptrdiff_t>(first),
               ids.begin() + static_cast<std::ptrdiff_t>(last) + 1};
    std::ranges::reverse(result);
    return result;
  }

  OneAccount one{};
  Ids ids{};
};

TEST_F(Lists, AreEmptyAtFirst) {
  EXPECT_EQ(one.get(path).body,
            R"({"object":"list","data":[],"has_more":false,"url":"/v1/payment_records"})");
}

TEST_F(Lists, StartWithTheNewestObjectAndHaveTenByDefault) {
  insert(12);
  EXPECT_EQ(page(), (Page{range(2, 11), true}));
  EXPECT_EQ(page("?limit=12"), (Page{range(0, 11), false}));
  EXPECT_EQ(page("?limit=100"), (Page{range(0, 11), false}));
}

TEST_F(Lists, AreOrderedByTimeAndThenByInsertion) {
  const auto at = [this](int second) {
    return one.insert([second](PaymentRecord& record) {
      record.created = std::chrono::sys_seconds{std::chrono::seconds{second}};
    });
  };
  const std::string middle = at(5);
  const std::string oldest = at(1);
  const std::string newest = at(9);
  const std::string middleToo = at(5);
  EXPECT_EQ(page().ids, (Ids{newest, middleToo, middle, oldest}));
}

TEST_F(Lists, ContinueAfterACursor) {
  insert(5);
  EXPECT_EQ(page("?limit=2&starting_after=" + ids[4]), (Page{range(2, 3), true}));
  EXPECT_EQ(page("?limit=2&starting_after=" + ids[2]), (Page{range(0, 1), false}));
  EXPECT_EQ(page("?limit=2&starting_after=" + ids[0]), (Page{{}, false}));
}

TEST_F(Lists, EndBeforeACursor) {
  insert(5);
  EXPECT_EQ(page("?limit=2&ending_before=" + ids[0]), (Page{range(1, 2), true}));
  EXPECT_EQ(page("?limit=2&ending_before=" + ids[2]), (Page{range(3, 4), false}));
  EXPECT_EQ(page("?limit=2&ending_before=" + ids[4]), (Page{{}, false}));
}

TEST_F(Lists, RefuseBadParameters) {
  insert(1);
  EXPECT_EQ(errorOf(one.get(path + "?limit=0")), "400 parameter_invalid limit");
  EXPECT_EQ(errorOf(one.get(path + "?limit=101")), "400 parameter_invalid limit");
  EXPECT_EQ(errorOf(one.get(path + "?limit=ten")), "400 parameter_invalid limit");
  EXPECT_EQ(errorOf(one.get(path + "?starting_after=" + ids[0] + "&ending_before=" + ids[0])),
            "400 parameter_invalid starting_after");
  EXPECT_EQ(errorOf(one.get(path + "?starting_after=pr_1")), "400 resource_missing starting_after");
  EXPECT_EQ(errorOf(one.get(path + "?ending_before=nonsense")), "400 resource_missing ending_before");
  EXPECT_EQ(errorOf(one.get(path + "?starting_after=")), "400 resource_missing starting_after");
  EXPECT_EQ(errorOf(one.get(path + "?limits=1")), "400 parameter_unknown limits");
}

TEST_F(Lists, AreSeparateForEachModeAndAccount) {
  insert(1);
  const auto other = one.service.addAccount();
  for (const std::string& key : {one.account.liveKey, other.sandboxKey}) {
    EXPECT_EQ(pageOf(one.service.handle(test::get(key, path))), Page{});
    EXPECT_EQ(errorOf(one.service.handle(test::get(key, path + "?starting_after=" + ids[0]))),
              "400 resource_missing starting_after");
  }
}

/// The expected list, computed by a linear scan.
struct Model {
  struct Entry {
    int created = 0;
    std::string id{};
  };

  void add(int created, std::string id) {
    const auto place = std::ranges::find_if(entries, [&](const Entry& e) { return e.created <= created; });
    entries.insert(place, {created, std::move(id)});
  }

  [[nodiscard]] Page after(std::size_t first, std::size_t limit) const {
    Page page{.ids = {}, .hasMore = entries.size() > first + limit};
    for (std::size_t i = first; i < std::min(entries.size(), first + limit); ++i)
      page.ids.push_back(entries[i].id);
    return page;
  }

  [[nodiscard]] Page before(std::size_t cursor, std::size_t limit) const {
    Page page{.ids = {}, .hasMore = cursor > limit};
    for (std::size_t i = page.hasMore ? cursor - limit : 0; i < cursor; ++i)
      page.ids.push_back(entries[i].id);
    return page;
  }

  std::vector<Entry> entries{};  // newest first
};

RC_GTEST_PROP(List, MatchesASimpleModel, ()) {
  OneAccount one;
  Model model;
  for (const int created : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 6)))
    model.add(created, one.insert([created](PaymentRecord& record) {
      record.created = std::chrono::sys_seconds{std::chrono::seconds{created}};
    }));
  const auto limit = *rc::gen::inRange<std::size_t>(1, 8);
  const std::string query = path + "?limit=" + std::to_string(limit);
  RC_ASSERT(pageOf(one.get(query)) == model.after(0, limit));
  for (std::size_t i = 0; i < model.entries.size(); ++i) {
    const std::string& id = model.entries[i].id;
    RC_ASSERT(pageOf(one.get(query + "&starting_after=" + id)) == model.after(i + 1, limit));
    RC_ASSERT(pageOf(one.get(query + "&ending_before=" + id)) == model.before(i, limit));
  }
}

}  // namespace

}  // namespace tally::test
