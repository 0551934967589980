#include "observed/inventory.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <tuple>
#include <utility>

#include <tally/fake/sent_request.h>

#include "schema/cursor.h"
#include "search/list_page.h"
#include "tables/schema_types.h"

namespace tally::fake::detail {

namespace cursor = tally::detail::cursor;

namespace {

/// What distinguishes the lists of an operation: the caller and everything but the place of the page.
std::string listOf(const Observation& page) {
  std::string text = page.caller() + '\n' + page.name();
  for (const SentParam& param : sentParams({.url = page.recorded().request.url}))
    if (isFilter(param.name) && param.name != cursor::page && !param.name.starts_with("expand"))
      text += '\n' + param.name + '=' + param.value;
  return text;
}

/// The time of an HTTP date, such as `Sun, 06 Nov 1994 08:49:37 GMT`. Nothing if no clock shows such a time.
std::optional<std::chrono::sys_seconds> dateIn(const HttpResponse& response) {
  const std::string* text = response.header("Date");
  std::tm parts{};
  if (text == nullptr || strptime(text->c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts) == nullptr)
    return std::nullopt;
  const std::chrono::seconds time{timegm(&parts)};
  return std::chrono::abs(time) <= farthestTime ? std::optional{std::chrono::sys_seconds{time}}
                                                : std::nullopt;
}

std::optional<bool> modeOf(std::string_view key) {
  if (key.find("_live") != std::string_view::npos) return true;
  if (key.find("_test") != std::string_view::npos) return false;
  return std::nullopt;
}

}  // namespace

/// A response with status 5xx, which may be that of a proxy, shows nothing.
void Inventory::note(const Observation& seen) {
  noteTimes(seen);
  if (!seen.concernsService() || seen.outcome() == Outcome::unknown) return;
  if (seen.outcome() == Outcome::failed || seen.status() == unauthorized) return;
  const std::size_t holder = holderOf(seen);
  const bool retrieves = seen.operation() != nullptr && seen.operation()->kind == OperationKind::retrieve;
  const auto known = retrieves ? objects_.find(seen.id()) : objects_.end();
  if (known != objects_.end() && known->second.holder == holder) {  // avoids reading it
    if (seen.outcome() == Outcome::success) noteShown(seen, known->second);
    return;
  }
  for (const JsonValue& object : seen.objects())
    noteObject(seen, holder, object);
  if (seen.pages()) notePage(seen, holder);
}

void Inventory::noteTimes(const Observation& seen) {
  ++requests_;
  start_ = std::min(start_, seen.start());
  if (latest_ > seen.start()) disorder_ = std::max(disorder_, latest_ - seen.start());
  latest_ = std::max(latest_, seen.start());
  if (seen.start() != std::chrono::floor<std::chrono::milliseconds>(seen.start()))
    resolution_ = std::chrono::nanoseconds{0};
  if (!skew_ && seen.recorded().response) noteDate(seen);
}

/// Many servers renew their `Date` each second, so it does not distinguish a skew of a few seconds from none.
void Inventory::noteDate(const Observation& seen) {
  using std::chrono::seconds;
  const auto date = dateIn(*seen.recorded().response);
  if (!date) return;
  constexpr seconds unclear{2};
  const seconds ahead = *date - std::chrono::floor<seconds>(seen.end());
  const seconds behind = std::chrono::floor<seconds>(seen.start()) - *date;
  const seconds skew = ahead > seconds{0} ? ahead : -std::max(behind, seconds{0});
  const bool isClear = std::chrono::abs(skew) > unclear;
  skew_ = isClear ? skew : seconds{0};
  if (!isClear) unsure_ += std::chrono::abs(skew);
}

std::size_t Inventory::holder(const std::string& name, const std::string& key, const std::string& account) {
  const auto [found, isNew] = byName_.try_emplace(name, holders_.size());
  if (isNew)
    holders_.push_back({.same = holders_.size(), .key = key, .account = account, .livemode = modeOf(key)});
  return found->second;
}

/// Both modes list the same connected accounts.
bool Inventory::haveOtherModes(std::size_t one, std::size_t other) const {
  const auto& mode = holders_[one].livemode;
  return mode && holders_[other].livemode && mode != holders_[other].livemode;
}

/// A connected account in each mode is another holder, as its objects are others.
std::size_t Inventory::holderOf(const Observation& seen) {
  const RequestHead& head = seen.arrival().head;
  const std::string key =
      head.authorization == nullptr ? std::string{} : keyOf(*head.authorization).value_or("");
  const std::size_t caller = holder("key " + key, key, {});
  const bool names = head.connectedAccount != nullptr && !head.connectedAccount->empty();
  if (!names || seen.status() == forbidden) return caller;
  const std::string& account = *head.connectedAccount;
  holders_[caller].connected.insert(account);
  const bool live = holders_[caller].livemode.value_or(false);
  const std::size_t acting = holder((live ? "live " : "sandbox ") + account, {}, account);
  holders_[acting].livemode = live;
  return acting;
}

std::size_t Inventory::rootOf(std::size_t holder) const {
  while (holders_[holder].same != holder)
    holder = holders_[holder].same;
  return holder;
}

void Inventory::join(std::size_t one, std::size_t other) {
  const std::size_t first = std::min(rootOf(one), rootOf(other));
  holders_[std::max(rootOf(one), rootOf(other))].same = first;
}

void Inventory::noteShown(const Observation& seen, Sighting& sighting) {
  if (seen.end() >= sighting.shown) return;
  sighting.shown = seen.end();
  sighting.shownBy = seen.number();
}

void Inventory::noteObject(const Observation& seen, std::size_t holder, const JsonValue& object) {
  std::string id = textOf(object, "id");
  if (id.empty()) return;
  if (const auto livemode = memberOf(object, "livemode");
      livemode && livemode->isBoolean() && !holders_[holder].livemode)
    holders_[holder].livemode = livemode->boolean();
  if (seen.creates()) created_.insert(id);
  const auto [found, isNew] =
      objects_.try_emplace(std::move(id), Sighting{.holder = holder,
                                                   .resource = seen.operation()->resource,
                                                   .created = integerOf(object, "created").value_or(0),
                                                   .shown = seen.end(),
                                                   .shownBy = seen.number()});
  if (isNew) return;
  noteShown(seen, found->second);
  if (!haveOtherModes(found->second.holder, holder)) join(found->second.holder, holder);
}

void Inventory::notePage(const Observation& seen, std::size_t holder) {
  const std::string_view after = seen.param(cursor::startingAfter);
  const std::string_view before = seen.param(cursor::endingBefore);
  std::vector<std::string> ids;
  if (!after.empty()) ids.emplace_back(after);
  const auto previous = pageEnds_.find(seen.param(cursor::page));
  std::optional<Instant> begun;
  if (previous != pageEnds_.end()) {
    ids.push_back(previous->second.last);
    begun = previous->second.begun;
  }
  const std::vector<JsonValue> objects = seen.objects();
  for (const JsonValue& object : objects)
    ids.push_back(textOf(object, "id"));
  if (!before.empty()) ids.emplace_back(before);
  if (seen.outcome() != Outcome::success || seen.body() == nullptr) return;
  const bool isFirst = after.empty() && before.empty() && seen.param(cursor::page).empty();
  const auto more = memberOf(seen.body()->root(), "has_more");
  const bool ends = more && more->isBoolean() && !more->boolean();
  const PageEnds reached{.newest = isFirst || (ends && !before.empty()), .oldest = ends && before.empty()};
  orders_[{holder, seen.operation()->resource}].learn(ids, seen.selects() ? PageEnds{} : reached);
  if (!before.empty()) return;
  if (isFirst) begun = seen.end();
  notePageEnd(textOf(seen.body()->root(), "next_page"), ids, begun);
  const auto noteIn = [&](tally::detail::StringMap<Instant>& shown, Instant time) {
    Instant& last = shown[listOf(seen)];
    last = std::max(last, time);
  };
  // The last object of the list is not shown by an empty page, unless it is the cursor: one that is known,
  // and that no filter excludes.
  const bool follows = previous != pageEnds_.end() || (!seen.selects() && objects_.contains(after));
  if (isFirst) noteIn(starts_, seen.end());
  if (ends && (isFirst || follows || !objects.empty())) noteIn(ends_, seen.end());
  if (ends && begun) noteIn(wholes_, *begun);
}

/// Keeps the last cursors only; the next page usually follows soon.
void Inventory::notePageEnd(std::string nextPage, const std::vector<std::string>& ids,
                            std::optional<Instant> begun) {
  constexpr std::size_t most = 1'024;
  if (nextPage.empty() || ids.empty()) return;
  if (pageEnds_.size() >= most) pageEnds_.clear();
  pageEnds_.insert_or_assign(std::move(nextPage), PageEnd{.last = ids.back(), .begun = begun});
}

bool Inventory::showsEnd(const Observation& page) const {
  const auto& shown = page.param(cursor::endingBefore).empty() ? ends_ : starts_;
  const auto last = shown.find(listOf(page));
  return last != shown.end() && last->second >= page.start();
}

bool Inventory::showsAll(const Observation& page) const {
  const auto last = wholes_.find(listOf(page));
  return last != wholes_.end() && last->second >= page.start();
}

/// Objects of the same second are in the order of the lists. Those that no list shows come first, as the
/// oldest.
void Inventory::rankObjects() {
  std::map<std::pair<std::size_t, const Resource*>, ListOrder> ofAccounts;
  for (auto& [list, order] : orders_) {
    const auto [known, isNew] = ofAccounts.try_emplace({rootOf(list.first), list.second}, std::move(order));
    if (!isNew) known->second.learn(order);
  }
  for (const auto& [list, order] : ofAccounts) {
    std::size_t rank = order.size() + 1;
    order.forEach([&](const std::string& id, std::size_t part) {
      --rank;
      const auto found = objects_.find(id);
      if (found == objects_.end()) return;
      found->second.rank = rank;
      found->second.part = part;
    });
  }
}

void Inventory::noteLoosePlaces() {
  using Second = std::tuple<std::size_t, const Resource*, std::int64_t>;
  std::map<Second, std::map<std::string_view, std::size_t>> parts;
  for (const auto& [id, sighting] : objects_)
    if (sighting.part != 0)
      parts[{rootOf(sighting.holder), sighting.resource, sighting.created}].emplace(id, sighting.part);
  std::size_t number = 0;
  for (const auto& [second, objects] : parts) {
    ++number;
    const std::size_t first = objects.begin()->second;
    if (std::ranges::all_of(objects, [&](const auto& one) { return one.second == first; })) continue;
    for (const auto& [id, part] : objects)
      loose_.emplace(id, LoosePlace{.second = number, .part = part});
  }
}

bool Inventory::areUnordered(std::string_view one, std::string_view other) const {
  const auto first = loose_.find(one);
  const auto second = loose_.find(other);
  if (first == loose_.end() || second == loose_.end()) return false;
  return first->second.second == second->second.second && first->second.part != second->second.part;
}

bool Inventory::areOfOnePart(std::string_view one, std::string_view other) const {
  const auto first = loose_.find(one);
  const auto second = loose_.find(other);
  return first != loose_.end() && second != loose_.end() && first->second == second->second;
}

/// Ignores a creation time that is later than a response that shows the object: it proves only that the
/// clocks differ. Calculates in whole seconds, because recorded numbers may exceed the range of nanoseconds.
std::optional<CreationTime> Inventory::creationOf(const Sighting& sighting) const {
  using std::chrono::floor;
  using std::chrono::seconds;
  const seconds created{sighting.created};
  const seconds start = floor<seconds>(start_).time_since_epoch() + skew();
  const seconds shown = floor<seconds>(sighting.shown).time_since_epoch() + skew();
  if (created < start - unsure_ || created > shown + unsure_) return std::nullopt;
  const seconds latest = created + seconds{1} + unsure_;
  return CreationTime{.earliest = Instant{created - unsure_ - skew()},
                      .latest = latest > shown ? sighting.shown : Instant{latest - skew()},
                      .shownBy = sighting.shownBy};
}

FoundAccount Inventory::accountOf(std::size_t root) const {
  FoundAccount account;
  std::optional<bool> livemode;
  for (std::size_t i = root; i < holders_.size(); ++i) {
    if (rootOf(i) != root) continue;
    const Holder& holder = holders_[i];
    if (!holder.key.empty()) account.keys.push_back(holder.key);
    if (account.id.empty()) account.id = holder.account;
    if (!livemode) livemode = holder.livemode;
    account.connected.insert(holder.connected.begin(), holder.connected.end());
  }
  account.livemode = livemode.value_or(false);
  return account;
}

void Inventory::finish() {
  rankObjects();
  noteLoosePlaces();
  std::map<std::size_t, std::size_t> numbers;  // of accounts, by root
  for (std::size_t i = 0; i < holders_.size(); ++i) {
    if (rootOf(i) != i) continue;
    numbers.emplace(i, accounts_.size());
    accounts_.push_back(accountOf(i));
  }
  std::map<std::pair<const Resource*, std::int64_t>, std::size_t> seconds;  // objects of each
  for (const auto& [id, sighting] : objects_)
    ++seconds[{sighting.resource, sighting.created}];
  using Found = std::pair<Sighting, std::string_view>;
  std::vector<Found> found;
  for (const auto& [id, sighting] : objects_)
    if (!created_.contains(id)) found.emplace_back(sighting, id);
  std::ranges::sort(
      found, {}, [](const Found& one) { return std::tuple{one.first.created, one.first.rank, one.second}; });
  for (const auto& [sighting, id] : found)
    accounts_[numbers.at(rootOf(sighting.holder))].objects.push_back(
        {.id = std::string{id},
         .resource = sighting.resource,
         .created = sighting.created,
         .placed = sighting.rank != 0 || seconds.at({sighting.resource, sighting.created}) == 1,
         .madeLater = creationOf(sighting)});
  objects_.clear();
  orders_.clear();
}

}  // namespace tally::fake::detail
