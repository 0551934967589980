#include "compare/page_differ.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "schema/cursor.h"
#include "search/list_page.h"
#include "tables/schema_types.h"
#include "text/url.h"

namespace tally::fake::detail {

namespace cursor = tally::detail::cursor;

namespace {

constexpr std::size_t mostRemembered = 4'096;  // cursors and creations

template <class Value>
void remember(tally::detail::StringMap<Value>& values, std::deque<std::string>& order, std::string name,
              Value value) {
  if (!values.insert_or_assign(name, std::move(value)).second) return;
  order.push_back(std::move(name));
  if (order.size() <= mostRemembered) return;
  values.erase(order.front());
  order.pop_front();
}

bool isSearch(const Observation& seen) {
  return seen.operation()->kind == OperationKind::search;
}

std::optional<bool> moreIn(const JsonDocument& body) {
  const auto more = memberOf(body.root(), "has_more");
  return more && more->isBoolean() ? std::optional{more->boolean()} : std::nullopt;
}

std::vector<JsonValue> dataIn(const JsonDocument& body) {
  std::vector<JsonValue> all;
  const auto data = memberOf(body.root(), "data");
  if (!data || !data->isArray()) return all;
  for (const JsonValue& element : data->elements())
    all.push_back(element);
  return all;
}

std::string_view sectionOf(const Observation& seen) {
  return isSearch(seen) ? "Search operations" : "List operations";
}

/// What selects or places the objects of the page.
Rule ruleOf(const Observation& seen) {
  const std::string_view section = sectionOf(seen);
  if (!seen.param(cursor::endingBefore).empty()) return Rule::assumed("ending_before", section);
  if (!seen.param(cursor::page).empty()) return Rule::assumed("search_cursor", section);
  return Rule::assumed(isSearch(seen) ? "query_language" : "list_order", section);
}

/// What all such pages have in common, for identifiers.
std::string conventionOf(const Observation& seen) {
  return isSearch(seen) ? "search" : "list";
}

/// The parameter that places the page, for identifiers; empty for a first page.
std::string placing(const Observation& seen) {
  for (const std::string_view name : {cursor::startingAfter, cursor::endingBefore, cursor::page})
    if (!seen.param(name).empty()) return ':' + std::string{name};
  return {};
}

bool contains(const std::vector<std::string>& ids, std::string_view id) {
  return std::ranges::find(ids, id) != ids.end();
}

/// Whether those that both pages have are in the same order.
bool haveSameOrder(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  std::vector<std::string_view> first;
  std::vector<std::string_view> second;
  std::ranges::copy_if(one, std::back_inserter(first),
                       [&](const std::string& id) { return contains(other, id); });
  std::ranges::copy_if(other, std::back_inserter(second),
                       [&](const std::string& id) { return contains(one, id); });
  return first == second;
}

bool isPrefix(const std::vector<std::string>& part, const std::vector<std::string>& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

/// Whether a page has the objects of another one that are next to its cursor: the first, or the last if it
/// precedes the cursor.
bool isNearestPart(const Observation& seen, const std::vector<std::string>& part,
                   const std::vector<std::string>& whole) {
  if (seen.param(cursor::endingBefore).empty()) return isPrefix(part, whole);
  return part.size() <= whole.size() && std::equal(part.rbegin(), part.rend(), whole.rbegin());
}

/// Whether the page follows another limit than that of the request: it has too many objects, or ends early.
bool isOtherSize(const Observation& seen, const std::vector<std::string>& recorded,
                 const std::vector<std::string>& fake) {
  const std::size_t limit = limitOf(seen.arrival().params.object.ref());
  const bool endsEarly = recorded.size() < fake.size() && isPrefix(recorded, fake);
  return recorded.size() > limit || (endsEarly && moreIn(*seen.body()).value_or(false));
}

}  // namespace

const PageDiffer::Cursor* PageDiffer::cursorOf(const Observation& seen) const {
  const auto found = cursors_.find(seen.param(cursor::page));
  return found == cursors_.end() ? nullptr : &found->second;
}

HttpRequest PageDiffer::translate(const Observation& seen) const {
  HttpRequest request = seen.recorded().request;
  const Cursor* own = cursorOf(seen);
  if (own == nullptr || own->text.empty()) return request;
  const std::string name = std::string{cursor::page} + '=';
  const std::size_t query = request.url.find('?');
  std::size_t at = request.url.find(name, query);
  while (at != std::string::npos && request.url[at - 1] != '?' && request.url[at - 1] != '&')
    at = request.url.find(name, at + 1);
  if (at == std::string::npos) return request;
  const std::size_t from = at + name.size();
  std::string encoded;
  tally::detail::percentEncode(encoded, own->text);
  request.url.replace(from, request.url.find_first_of("&#", from) - from, encoded);
  return request;
}

void PageDiffer::noteCreation(const Observation& seen, std::string_view id) {
  remember(creations_, creationOrder_, std::string{id},
           CreationTime{.earliest = seen.start(), .latest = seen.end()});
}

std::optional<CreationTime> PageDiffer::creationOf(std::string_view id) const {
  const auto found = creations_.find(id);
  return found == creations_.end() ? world_.creationOf(id) : std::optional{found->second};
}

/// Lists determine the order of objects that no recorded request has created, as far as pages connect them. A
/// recorded time without duration may lie within another.
bool PageDiffer::areTied(std::string_view one, std::string_view other) const {
  if (inventory_.areUnordered(one, other)) return true;
  if (!creations_.contains(one) && !creations_.contains(other)) return false;
  const auto first = creationOf(one);
  const auto second = creationOf(other);
  return first && second && first->earliest < second->latest && second->earliest < first->latest;
}

/// The newest objects come first. So whatever follows one that the service has is older, and exists, too,
/// unless the fake can't know which of the two is older.
bool PageDiffer::mayLack(const Context& context, const Page& page, std::string_view id) const {
  const std::string_view after = context.seen.param(cursor::startingAfter);
  return world_.mayLack(context.seen, id) && (after.empty() || areTied(after, id)) &&
         std::ranges::all_of(page.ids, [&](const std::string& newer) { return areTied(newer, id); });
}

bool PageDiffer::isEarly(const Caller& caller, const ResourceType& type, std::string_view id) const {
  return inventory_.createdInRecording(id) && !world_.mirror().has(caller, type, id);
}

PageDiffer::Page PageDiffer::read(const Context& context, const HttpResponse& fake) const {
  Page page{.body = JsonDocument{fake.body}};
  const Mirror& mirror = world_.mirror();
  const bool selective = context.seen.selects();
  for (const JsonValue& object : dataIn(page.body)) {
    std::string id = textOf(object, "id");
    const bool unknown =
        mirror.isUnplaced(id) || (selective && mirror.isInDoubt(id)) || mayLack(context, page, id);
    if (unknown && !contains(context.recorded, id)) {
      ++page.dropped;
    } else {
      page.ids.push_back(std::move(id));
    }
  }
  return page;
}

/// Adopts the recorded order of two objects that were created at the same time. Returns whether the fake now
/// responds differently.
bool PageDiffer::rearrange(const Context& context, const Page& page) {
  const auto [theirs, ours] = std::ranges::mismatch(context.recorded, page.ids);
  if (theirs == context.recorded.end() || ours == page.ids.end() || !areTied(*theirs, *ours))
    return moveAcrossCursor(context, page);
  const bool isLater = contains(page.ids, *theirs) || context.seen.param(cursor::endingBefore).empty();
  putBefore(context, isLater ? *theirs : *ours, isLater ? *ours : *theirs, Mirror::Moved::first);
  return true;
}

/// The same for an object and the cursor: only one of the two pages has the object. Moves the one whose
/// creation is recorded, because lists determine the order of the others.
bool PageDiffer::moveAcrossCursor(const Context& context, const Page& page) {
  const std::string_view after = context.seen.param(cursor::startingAfter);
  const std::string_view own = after.empty() ? context.seen.param(cursor::endingBefore) : after;
  const auto isMoved = [&, own](const std::vector<std::string>& others) {
    return [&, own](const std::string& id) { return !contains(others, id) && areTied(own, id); };
  };
  const auto extra = std::ranges::find_if(page.ids, isMoved(context.recorded));
  const auto missing = std::ranges::find_if(context.recorded, isMoved(page.ids));
  const bool isExtra = extra != page.ids.end();
  if (!isExtra && missing == context.recorded.end()) return false;
  const std::string_view id = isExtra ? *extra : *missing;
  const bool cursorFirst = isExtra == after.empty();
  const std::string_view first = cursorFirst ? own : id;
  putBefore(context, first, cursorFirst ? id : own,
            creations_.contains(first) ? Mirror::Moved::first : Mirror::Moved::second);
  return true;
}

/// Pages show the order within a part of a list.
void PageDiffer::putBefore(const Context& context, std::string_view first, std::string_view second,
                           Mirror::Moved moved) {
  if (!inventory_.areUnordered(first, second)) {
    world_.mirror().putBefore(context.caller, context.type, first, second, moved);
    return;
  }
  world_.mirror().putBefore(context.caller, context.type, second,
                            [&](std::string_view id) { return inventory_.areOfOnePart(id, first); });
}

bool PageDiffer::isSame(const Context& context, const Page& page) {
  if (context.recorded == page.ids) return true;
  return page.dropped != 0 && isNearestPart(context.seen, page.ids, context.recorded) &&
         page.ids.size() + page.dropped >= context.recorded.size();
}

void PageDiffer::reportOrder(const Context& context, const Page& page) {
  const Observation& seen = context.seen;
  const std::string name = seen.name();
  const std::vector<std::string>& recorded = context.recorded;
  const std::string sizes =
      std::to_string(recorded.size()) + " objects instead of " + std::to_string(page.ids.size());
  if (!haveSameOrder(recorded, page.ids)) {
    findings_.differ("order:" + conventionOf(seen), Rule::assumed("list_order", sectionOf(seen)),
                     "the objects of " + name + " are in another order", seen.number());
  } else if (isOtherSize(seen, recorded, page.ids)) {
    findings_.differ("page_size:" + conventionOf(seen),
                     Rule::of(place("parameter", "limit"), sectionOf(seen)), name + " returned " + sizes,
                     seen.number());
  } else {
    findings_.differ("elements:" + conventionOf(seen) + placing(seen), ruleOf(seen),
                     name + " returned other objects (" + sizes + ')', seen.number());
  }
}

void PageDiffer::compareEnd(const Context& context, const Page& page) {
  const Observation& seen = context.seen;
  const auto more = moreIn(*seen.body());
  const auto fakeMore = moreIn(page.body);
  if (!more || !fakeMore) return;
  const std::size_t limit = limitOf(seen.arrival().params.object.ref());
  const bool unknownEnd =
      page.dropped != 0 || world_.mirror().hasUnplaced(context.type) ||
      (seen.selects() && world_.mirror().doubtsAny(context.type)) ||
      (!seen.param(cursor::endingBefore).empty() && world_.mayLackAny(seen, context.type));
  const bool impossible = *more && context.recorded.size() < limit;
  const bool denied = *more && !*fakeMore && !unknownEnd && inventory_.showsEnd(seen);
  const bool concealed = !*more && *fakeMore && !unknownEnd;
  if (impossible || denied || concealed) {
    const Rule rule = seen.param(cursor::endingBefore).empty()
                          ? Rule::of(place("", isSearch(seen) ? "search_result" : "list"), sectionOf(seen))
                          : Rule::assumed("ending_before", sectionOf(seen));
    findings_.differ("has_more:" + conventionOf(seen), rule,
                     "has_more of " + seen.name() +
                         (*more ? " is true where nothing follows" : " is false where more follows"),
                     seen.number());
  } else if (*more && !*fakeMore) {
    findings_.cannotJudge("has_more of " + seen.name() + " where the recording does not show what follows",
                          seen.number());
  }
  if (isSearch(seen)) compareNextPage(context, *more);
}

void PageDiffer::compareNextPage(const Context& context, bool more) {
  const Observation& seen = context.seen;
  const Rule rule = Rule::of(place("parameter", "page"), sectionOf(seen));
  const auto next = memberOf(seen.body()->root(), "next_page");
  const auto differ = [&](const std::string& change) {
    findings_.differ(change + ":search_result.next_page", rule,
                     "next_page of " + seen.name() + " is " + change + (more ? "" : " on the last page"),
                     seen.number());
  };
  if (more && !next) differ("missing");
  if (more && next && next->isNull()) differ("null");
  if (more && next && !next->isNull() && !next->isString()) differ("type");
  if (!more && next) differ(next->isNull() ? "null" : "additional");
}

void PageDiffer::noteNextPage(const Observation& seen, Cursor cursor) {
  std::string theirs = seen.body() == nullptr ? std::string{} : textOf(seen.body()->root(), "next_page");
  if (!theirs.empty()) remember(cursors_, cursorOrder_, std::move(theirs), std::move(cursor));
}

/// Also where the pages differ, so that a difference is not found again on each page that follows.
PageDiffer::Cursor PageDiffer::nextOf(const Context& context, const Page& page) {
  const std::vector<JsonValue> data = dataIn(page.body);
  const bool endsAlike =
      !data.empty() && !context.recorded.empty() && textOf(data.back(), "id") == context.recorded.back();
  return {.text = textOf(page.body.root(), "next_page"), .misplaced = !endsAlike};
}

bool PageDiffer::passUnplaced(const Observation& seen) {
  const Cursor* own = cursorOf(seen);
  const bool isGiven = !seen.param(cursor::page).empty() && seen.outcome() == Outcome::success;
  const bool isUnknown = own == nullptr ? isGiven : own->unknown;
  if (!isUnknown && (own == nullptr || !own->text.empty())) return false;
  findings_.cannotJudge("pages of " + seen.name() + " after " +
                            (isUnknown ? "a cursor that no recorded page shows" : "the last one of the fake"),
                        seen.number());
  noteNextPage(seen, {.unknown = isUnknown});
  return true;
}

void PageDiffer::compareCount(const Context& context, const Page& page) {
  const Observation& seen = context.seen;
  const auto theirs = memberOf(seen.body()->root(), "total_count");
  const auto ours = memberOf(page.body.root(), "total_count");
  if (!theirs && !ours) return;
  const Rule rule = Rule::of(place("", "search_result.total_count"), sectionOf(seen));
  if (!theirs || !ours || !theirs->integer()) {
    const std::string change = !theirs            ? "missing"
                               : !ours            ? "additional"
                               : theirs->isNull() ? "null"
                                                  : "type";
    findings_.differ(change + ":search_result.total_count", rule,
                     "total_count of " + seen.name() + " is " + change, seen.number());
    return;
  }
  if (theirs->text() == ours->text()) return;
  const bool tooFew = *theirs->integer() < *ours->integer();
  if (page.dropped != 0 || world_.mirror().doubtsAny(context.type) ||
      (!tooFew && !inventory_.showsAll(seen))) {
    findings_.cannotJudge("total_count of " + seen.name() + " where the recording does not show all objects",
                          seen.number());
    return;
  }
  findings_.differ("value:search_result.total_count", rule,
                   "total_count of " + seen.name() + " is " + std::string{theirs->text()} + " instead of " +
                       std::string{ours->text()},
                   seen.number());
}

void PageDiffer::compareObjects(const Context& context, const Page& page) {
  const std::vector<JsonValue> recorded = context.seen.objects();
  std::vector<JsonValue> fake = dataIn(page.body);
  Mirror& mirror = world_.mirror();
  for (const JsonValue& object : recorded) {
    const std::string id = textOf(object, "id");
    const auto found =
        std::ranges::find_if(fake, [&](const JsonValue& one) { return textOf(one, "id") == id; });
    if (found == fake.end() || found->text() == object.text()) continue;
    const bool contested = context.timeline.overlaps([&](const Touch& touch) { return touch.id == id; });
    const ShownObject shown{.seen = context.seen,
                            .type = context.type,
                            .judgesValues = !contested,
                            .unknown = mirror.unknownFields(id)};
    if (responses_.compareObject(shown, object, *found)) continue;
    if (contested) {
      mirror.doubt(context.type, id);
    } else {
      mirror.correct(context.caller, context.type, id, object, found->text());
    }
  }
}

void PageDiffer::compare(const Observation& seen, const Caller& caller, const Timeline& timeline,
                         const HttpRequest& request, HttpResponse fake) {
  if (seen.recorded().response->body == fake.body || seen.body() == nullptr) return;
  const ResourceType& type =
      world_.engine().catalog().types()[world_.engine().catalog().indexOf(*seen.operation()->resource)];
  std::vector<std::string> recorded;
  for (const JsonValue& object : seen.objects())
    recorded.push_back(textOf(object, "id"));
  const bool showsEarly =
      std::erase_if(recorded, [&](const std::string& id) { return isEarly(caller, type, id); }) != 0;
  const Context context{
      .seen = seen, .caller = caller, .timeline = timeline, .type = type, .recorded = recorded};
  Page page = read(context, fake);
  const std::size_t most = 4 * (recorded.size() + page.ids.size());
  for (std::size_t i = 0; i < most && !isSame(context, page) && rearrange(context, page); ++i) {
    fake = world_.send(seen, request);
    const std::vector<std::string> before = std::exchange(page, read(context, fake)).ids;
    if (page.ids == before) break;
  }
  responses_.compareEnvelope(seen, seen.body()->root(), page.body.root());
  compareObjects(context, page);
  const Cursor* own = cursorOf(seen);
  const bool misplaced = own != nullptr && own->misplaced;
  if (isSearch(seen)) noteNextPage(seen, nextOf(context, page));
  const bool contested = showsEarly || timeline.overlaps([&](const Touch& touch) {
    return touch.operation->resource == &type.resource();
  });
  const std::string_view cursorId =
      seen.param(seen.param(cursor::endingBefore).empty() ? cursor::startingAfter : cursor::endingBefore);
  if (isSame(context, page)) {
    if (!contested) compareEnd(context, page);
    if (isSearch(seen) && !contested) compareCount(context, page);
  } else if (contested) {
    findings_.cannotJudge("pages of " + seen.name() + " while such objects changed", seen.number());
  } else if (misplaced) {
    findings_.cannotJudge("pages of " + seen.name() + " after one that ends with another object",
                          seen.number());
  } else if (world_.mirror().isUnplaced(cursorId)) {
    findings_.cannotJudge("pages of " + seen.name() + " next to an object that the recording never shows",
                          seen.number());
  } else {
    reportOrder(context, page);
  }
}

}  // namespace tally::fake::detail
