// The store, its lists and its searches, compared with a model that keeps everything in a vector and scans it
// each time.
#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fake/support/gadget.h"
#include "fake/support/query_text.h"
#include "fake/support/requests.h"
#include "json/json_writer.h"
#include "rapidcheck/detail/Configuration.h"
#include "search/list_page.h"
#include "search/search_page.h"

namespace tally::test {

namespace {

using namespace fake::detail;

constexpr int sequences = 3'000;

template <class T>
T anyOf(const std::vector<T>& values) {
  return *rc::gen::elementOf(values);
}

int upTo(int most) {
  return *rc::gen::inRange(0, most + 1);
}

Instant second(int count) {
  return Instant{std::chrono::seconds{count}};
}

// Few values, so that searches often match, with several results.
const std::vector<std::string> texts{"a", "b", "A b"};
const std::vector<std::string> metadataKeys{"k", "l"};

Gadget anyGadget(std::string id) {
  Gadget gadget;
  gadget.id = std::move(id);
  gadget.created = std::chrono::sys_seconds{std::chrono::seconds{upTo(3)}};
  gadget.name = anyOf(texts);
  if (upTo(1) == 1) gadget.note = anyOf(texts);
  gadget.size = upTo(4) - 2;
  gadget.active = upTo(1) == 1;
  if (upTo(1) == 1) gadget.main.weight = upTo(2);
  if (upTo(1) == 1) gadget.spare = Part{.name = anyOf(texts)};
  for (const std::string& key : metadataKeys)
    if (upTo(1) == 1) gadget.metadata[key] = anyOf(texts);
  return gadget;
}

Clause anyTextClause() {
  Clause clause{.field = anyOf<std::string>({"name", "note", "spare.name", "metadata"})};
  if (clause.field == "metadata") clause.key = anyOf(metadataKeys);
  if (upTo(3) == 0) clause.comparison = Comparison::contains;
  clause.operand = anyOf(texts);
  return clause;
}

Clause anyNumberClause() {
  using enum Comparison;
  return {.field = anyOf<std::string>({"size", "created", "main.weight"}),
          .comparison = anyOf<Comparison>({equals, less, atMost, greater, atLeast}),
          .operand = std::int64_t{upTo(4) - 2}};
}

Clause anyClause() {
  Clause clause = upTo(1) == 1 ? anyTextClause() : anyNumberClause();
  if (upTo(5) == 0) clause = {.field = "active", .operand = anyOf<std::string>({"true", "false"})};
  if (upTo(5) == 0) {
    clause.comparison = Comparison::equals;
    clause.operand = std::monostate{};
  }
  clause.negated = upTo(4) == 0;
  return clause;
}

Query anyQuery() {
  Query query{.join = anyOf<Join>({Join::all, Join::any})};
  for (int left = upTo(2); left >= 0; --left)
    query.clauses.push_back(anyClause());
  return query;
}

template <class T>
std::optional<T> inMap(const std::map<std::string, T, std::less<>>& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? std::nullopt : std::optional{found->second};
}

std::optional<std::string> textIn(const Gadget& gadget, const Clause& clause) {
  if (clause.field == "name") return gadget.name;
  if (clause.field == "note") return gadget.note;
  if (clause.field == "active") return gadget.active ? "true" : "false";
  if (clause.field == "metadata") return inMap(gadget.metadata, *clause.key);
  if (clause.field == "spare.name" && gadget.spare) return gadget.spare->name;
  return std::nullopt;
}

std::optional<std::int64_t> numberIn(const Gadget& gadget, const Clause& clause) {
  if (clause.field == "size") return gadget.size;
  if (clause.field == "created") return gadget.created.time_since_epoch().count();
  if (clause.field == "main.weight") return gadget.main.weight;
  return std::nullopt;
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

bool meets(std::int64_t number, Comparison comparison, std::int64_t wanted) {
  switch (comparison) {
    case Comparison::less:
      return number < wanted;
    case Comparison::atMost:
      return number <= wanted;
    case Comparison::greater:
      return number > wanted;
    case Comparison::atLeast:
      return number >= wanted;
    default:
      return number == wanted;
  }
}

bool meets(const Gadget& gadget, const Clause& clause) {
  const auto text = textIn(gadget, clause);
  const auto number = numberIn(gadget, clause);
  bool met = false;
  if (std::holds_alternative<std::monostate>(clause.operand)) {
    met = !text && !number;
  } else if (const auto* wanted = std::get_if<std::string>(&clause.operand)) {
    const bool part = clause.comparison == Comparison::contains;
    met = text && (part ? lower(*text).find(lower(*wanted)) != std::string::npos : *text == *wanted);
  } else {
    met = number && meets(*number, clause.comparison, std::get<std::int64_t>(clause.operand));
  }
  return met != clause.negated;
}

bool meets(const Gadget& gadget, const Query& query) {
  const auto met = [&](const Clause& clause) { return meets(gadget, clause); };
  return query.join == Join::all ? std::ranges::all_of(query.clauses, met)
                                 : std::ranges::any_of(query.clauses, met);
}

using Ids = std::vector<std::string>;

struct Page {
  Ids ids{};
  bool hasMore = false;

  bool operator==(const Page&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Page& page) {
  for (const std::string& id : page.ids)
    out << id << ' ';
  return out << (page.hasMore ? "and more" : "and no more");
}

/// The stored objects, newest first.
class Model {
 public:
  struct Entry {
    Gadget gadget{};
    std::int64_t created = 0;  // when stored; changing the gadget does not change it
    Instant stored{};
  };

  void add(const Gadget& gadget, Instant stored) {
    const std::int64_t created = gadget.created.time_since_epoch().count();
    const auto place = std::ranges::find_if(entries, [&](const Entry& e) { return e.created <= created; });
    entries.insert(place, {gadget, created, stored});
  }

  void replace(const Gadget& gadget) {
    std::ranges::find(entries, gadget.id, [](const Entry& e) { return e.gadget.id; })->gadget = gadget;
  }

  [[nodiscard]] Ids found(const Query& query, Instant indexed) const {
    Ids ids;
    for (const Entry& entry : entries)
      if (entry.stored <= indexed && meets(entry.gadget, query)) ids.push_back(entry.gadget.id.str());
    return ids;
  }

  [[nodiscard]] Ids all() const { return found({}, Instant::max()); }

  std::vector<Entry> entries{};
};

Page after(const Ids& ids, std::size_t first, std::size_t limit) {
  Page page{.hasMore = ids.size() > first + limit};
  for (std::size_t i = first; i < std::min(ids.size(), first + limit); ++i)
    page.ids.push_back(ids[i]);
  return page;
}

Page before(const Ids& ids, std::size_t end, std::size_t limit) {
  Page page{.hasMore = end > limit};
  for (std::size_t i = page.hasMore ? end - limit : 0; i < end; ++i)
    page.ids.push_back(ids[i]);
  return page;
}

/// The store and its model, with the same operations applied to both.
class Both {
 public:
  void add() {
    const Gadget gadget = anyGadget("gad_" + std::to_string(model_.entries.size()));
    const Instant stored = second(upTo(5));
    model_.add(gadget, stored);
    collection_.add(gadget.id.str(), encode(gadget), gadget.created.time_since_epoch().count(), stored, 0);
  }

  void replace() {
    if (model_.entries.empty()) return;
    const Gadget gadget = anyGadget(anyOf(model_.all()));
    model_.replace(gadget);
    collection_.replace(gadget.id.str(), encode(gadget), 0);
  }

  /// Continues with a copy. Later changes of the original must not affect it.
  void copy() {
    Collection copy{collection_};
    for (const std::string& id : model_.all())
      collection_.replace(id, encode(anyGadget(id)), 0);
    collection_.add("gad_x", encode(anyGadget("gad_x")), 2, {}, 0);
    collection_ = std::move(copy);
  }

  void list() {
    const Ids ids = model_.all();
    const auto limit = std::size_t{1} + static_cast<std::size_t>(upTo(6));
    RC_ASSERT(listed({.limit = limit}) == after(ids, 0, limit));
    if (ids.empty()) return;
    const auto at = static_cast<std::size_t>(upTo(static_cast<int>(ids.size()) - 1));
    RC_ASSERT(listed({.limit = limit, .startingAfter = ids[at]}) == after(ids, at + 1, limit));
    RC_ASSERT(listed({.limit = limit, .endingBefore = ids[at]}) == before(ids, at, limit));
  }

  /// All pages of one search.
  void search() {
    const Query query = anyQuery();
    RC_LOG(print(query));
    const Instant indexed = second(upTo(6));
    const Ids expected = model_.found(query, indexed);
    GadgetSearchParams params{.query = print(query), .limit = 1 + upTo(6), .expand = {"total_count"}};
    std::size_t first = 0;
    do {
      const auto page = searched(params, indexed);
      RC_ASSERT(pageOf(page) == after(expected, first, static_cast<std::size_t>(*params.limit)));
      RC_ASSERT(page.at("total_count").as_int64() == static_cast<std::int64_t>(expected.size()));
      first += idsOf(page).size();
      params.page.reset();
      if (const auto* next = page.as_object().if_contains("next_page")) params.page = text(*next);
    } while (params.page);
  }

  /// A search finds the state at its start, although the store changes before it reads.
  void searchWhileItChanges() {
    const Query query = anyQuery();
    RC_LOG(print(query));
    const Ids expected = model_.found(query, second(6));
    const GadgetSearchParams params{.query = print(query), .limit = 100};
    const Response response = beginSearch(params, second(6));
    for (int left = upTo(4); left > 0; --left)
      upTo(1) == 0 ? add() : replace();
    RC_ASSERT(pageOf(bodyOf(response)) == after(expected, 0, 100));
  }

 private:
  static std::string encode(const Gadget& gadget) {
    std::string json;
    tally::detail::writeJson(json, refTo(gadget));
    return json;
  }

  static Page pageOf(const boost::json::value& body) { return {idsOf(body), body.at("has_more").as_bool()}; }

  static boost::json::value bodyOf(const Response& response) {
    const auto* deferred = std::get_if<Deferred>(&response);
    return boost::json::parse(deferred == nullptr ? std::get<std::string>(response) : (*deferred)());
  }

  [[nodiscard]] Page listed(const GadgetListParams& params) const {
    return pageOf(bodyOf(listPage(gadgetList, type_, collection_, refTo(params))));
  }

  Response beginSearch(const GadgetSearchParams& params, Instant indexed) {
    const auto keep = [this](const Collection& copy) {
      (void)collection_.keepIndexes(copy, static_cast<std::size_t>(upTo(5)));
    };
    return searchPage(gadgetSearch, type_, collection_, refTo(params),
                      {.indexed = indexed, .searched = keep});
  }
  boost::json::value searched(const GadgetSearchParams& params, Instant indexed) {
    return bodyOf(beginSearch(params, indexed));
  }

  ResourceType type_{gadgetRules};
  Collection collection_{};
  Model model_{};
};

/// Checks a property more often than RapidCheck's default.
template <class Property>
void checkOften(const char* name, const Property& property) {
  rc::detail::TestMetadata metadata{.id = name, .description = name};
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = std::max(params.maxSuccess, sequences);
  const auto result = rc::detail::checkTestable(property, metadata, params);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << message.str();
}

TEST(Store, MatchesASimpleModel) {
  checkOften("store", [] {
    Both both;
    for (int left = *rc::gen::withSize([](int size) { return rc::gen::inRange(0, 5 + size / 2); }); left > 0;
         --left) {
      switch (upTo(11)) {
        case 0:
        case 1:
        case 2:
        case 3:
          both.add();
          break;
        case 4:
        case 5:
          both.replace();
          break;
        case 6:
          both.list();
          break;
        case 7:
          both.copy();
          break;
        case 8:
        case 9:
          both.searchWhileItChanges();
          break;
        default:
          both.search();
      }
    }
  });
}

}  // namespace

}  // namespace tally::test
