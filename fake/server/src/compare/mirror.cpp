#include "compare/mirror.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

#include "compare/json_differ.h"
#include "json/json_reader.h"
#include "objects/account_objects.h"
#include "objects/inserted_object.h"
#include "objects/objects.h"
#include "observed/observation.h"
#include "request/raw_json.h"
#include "tables/object_merge.h"
#include "tables/schema_types.h"

namespace tally::fake::detail {

namespace {

/// Sets what a member says. Returns false, and keeps the object, if the fake can't store it.
bool take(const JsonMember& member, ObjectRef object) {
  AnyObject trial{object.type()};
  copyObject(object, trial.ref());
  const std::string json =
      '{' + std::string{member.name.text()} + ':' + std::string{member.value.text()} + '}';
  if (tally::detail::mergeJson(json, trial.ref())) return false;
  if (UnknownFields* unknown = trial.ref().unknownFields()) unknown->clear();
  copyObject(trial.ref(), object);
  return true;
}

/// Empties what `shown` lacks and may lack.
void clearMissing(const JsonValue& shown, ObjectRef object) {
  for (const Field& field : object.type().fields) {
    if (field.member == nullptr || field.required || field.type.optional == nullptr) continue;
    if (!memberOf(shown, field.name)) object.member(field).clear();
  }
}

/// Takes what `shown` has. Returns the fields that it lacks, or that the fake can't store.
FieldNames takeAll(const JsonValue& shown, ObjectRef object) {
  FieldNames missing;
  for (const Field& field : object.type().fields) {
    if (field.member == nullptr) continue;
    const auto value = memberOf(shown, field.name);
    if (!value && !field.required) continue;
    missing.emplace(field.name);
  }
  for (const JsonMember& member : shown.members())
    if (missing.contains(member.name.string()) && take(member, object)) missing.erase(member.name.string());
  return missing;
}

std::vector<const Record*> recordsOf(const Collection& collection) {
  std::vector<const Record*> newestFirst;
  for (const Record& record : collection.newestFirst())
    newestFirst.push_back(&record);
  return newestFirst;
}

Collection arranged(const ResourceType& type, const std::vector<const Record*>& newestFirst,
                    const auto& createdOf) {
  Collection collection;
  for (const Record* record : newestFirst | std::views::reverse)
    collection.add(record->id(), record->json(), createdOf(*record), record->stored(), record->state(),
                   type.sharedJson());
  return collection;
}

bool shows(const ResourceType& type, std::size_t state, ConstObjectRef object) {
  AnyObject copy{type.model()};
  copyObject(object, copy.ref());
  type.shows(state).apply(copy.ref());
  return differences(object, copy.ref()).empty();
}

}  // namespace

bool areAlike(const ResourceType& type, const JsonValue& shown, std::string_view fake) {
  const JsonDocument other{fake};
  if (other.problem() || !other.root().isObject()) return false;
  bool alike = true;
  compareJson(shown, other.root(), &type.model(),
              [&](const ValueDifference& found) { alike = alike && found.isShape(); });
  return alike;
}

std::optional<std::uint8_t> shownState(const ResourceType& type, ConstObjectRef object, std::uint8_t first) {
  const std::size_t count = type.machine().states.size();
  if (count != 0 && shows(type, first, object)) return first;
  for (std::size_t state = 0; state < count; ++state)
    if (shows(type, state, object)) return static_cast<std::uint8_t>(state);
  return std::nullopt;
}

/// The object as the fake can store it. What is missing or has another type stays, or is as in the example.
AnyObject Mirror::storable(const Caller& caller, const ResourceType& type, std::string_view id,
                           const JsonValue& shown) {
  AnyObject made{type.model()};
  const ObjectRef object = made.ref();
  const bool whole = !tally::detail::readJson(shown.text(), object) &&
                     (object.unknownFields() == nullptr || object.unknownFields()->empty());
  if (whole) {
    unknown_.erase(std::string{id});
  } else {
    const auto before = stored(caller, type, id);
    const bool known = before && !isInDoubt(id) && !tally::detail::readJson(before->json, object);
    if (!known) copyObject(type.example(), object);
    clearMissing(shown, object);
    FieldNames missing = takeAll(shown, object);
    const FieldNames* unknown = unknownFields(id);
    if (known)
      std::erase_if(missing,
                    [&](const std::string& name) { return unknown == nullptr || !unknown->contains(name); });
    unknown_[std::string{id}] = std::move(missing);
  }
  (void)settleRawJson(object);
  type.id(object) = id;
  type.livemode(object) = caller.livemode;
  return made;
}

const FieldNames* Mirror::unknownFields(std::string_view id) const {
  const auto found = unknown_.find(id);
  return found == unknown_.end() || found->second.empty() ? nullptr : &found->second;
}

void Mirror::correct(const Caller& caller, const ResourceType& type, std::string_view id,
                     const JsonValue& shown, std::string_view fake) {
  constexpr std::size_t most = 1'024;
  if (corrected_.size() >= most) corrected_.clear();
  corrected_.insert_or_assign(std::string{id}, std::string{fake});
  show(caller, type, id, shown);
}

void Mirror::reconsider(const Caller& caller, const ResourceType& type, std::string_view id,
                        const JsonValue& shown) {
  if (corrected_.empty()) return;
  const auto found = corrected_.find(id);
  if (found == corrected_.end()) return;
  const auto now = stored(caller, type, id);
  if (now && areAlike(type, shown, now->json)) return;
  if (areAlike(type, shown, found->second)) show(caller, type, id, shown);
}

Collection& Mirror::collectionOf(const Caller& caller, const ResourceType& type) const {
  return caller.collection(engine_.catalog().indexOf(type.resource()));
}

bool Mirror::has(const Caller& caller, const ResourceType& type, std::string_view id) const {
  return collectionOf(caller, type).find(id) != nullptr;
}

bool Mirror::doubtsAny(const ResourceType& type) const {
  const auto found = doubts_.find(&type);
  return found != doubts_.end() && found->second != 0;
}

void Mirror::doubt(const ResourceType& type, std::string_view id) {
  if (doubted_.try_emplace(std::string{id}, &type).second) ++doubts_[&type];
}

void Mirror::settle(std::string_view id) {
  const auto found = doubted_.find(id);
  if (found == doubted_.end()) return;
  --doubts_[found->second];
  doubted_.erase(found);
}

void Mirror::put(const Caller& caller, const ResourceType& type, std::string_view id, AnyObject object,
                 std::uint8_t state) {
  const auto change = engine_.change();
  Collection& collection = collectionOf(caller, type);
  const std::string json = encode(object.ref());
  if (collection.find(id) != nullptr) {
    collection.replace(id, json, state);
  } else {
    collection.add(id, json, type.created(object.ref()).time_since_epoch().count(), engine_.clock()->now(),
                   state, type.sharedJson());
  }
}

void Mirror::add(const Caller& caller, const ResourceType& type, std::string_view id,
                 const JsonValue& shown) {
  if (!has(caller, type, id)) {
    const auto change = engine_.change();
    AnyObject object = storable(caller, type, id, shown);
    const Instant now = engine_.clock()->now();
    collectionOf(caller, type)
        .add(id, encode(object.ref()),
             std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count(), now,
             type.machine().initial);
  }
  show(caller, type, id, shown);
}

void Mirror::takeBack(const Caller& caller, const ResourceType& type, std::string_view id) {
  const auto found = corrected_.find(id);
  if (found == corrected_.end()) return;
  const JsonDocument before{found->second};
  if (!before.problem()) show(caller, type, id, before.root());
}

void Mirror::announce(const Caller& caller, const ResourceType& type, std::string_view id,
                      std::int64_t created, bool placed) {
  AnyObject made{type.model()};
  const ObjectRef object = made.ref();
  copyObject(type.example(), object);
  type.id(object) = id;
  type.livemode(object) = caller.livemode;
  type.created(object) = std::chrono::sys_seconds{std::chrono::seconds{created}};
  put(caller, type, id, std::move(made), type.machine().initial);
  doubt(type, id);
  if (placed) return;
  unplaced_.emplace(id);
  lists_.insert(&type);
}

void Mirror::show(const Caller& caller, const ResourceType& type, std::string_view id,
                  const JsonValue& shown) {
  AnyObject object = storable(caller, type, id, shown);
  const auto before = stored(caller, type, id);
  const std::uint8_t presumed = before ? before->state : type.machine().initial;
  const std::uint8_t state = shownState(type, object.ref(), presumed).value_or(presumed);
  put(caller, type, id, std::move(object), state);
  settle(id);
}

void Mirror::showBefore(const Caller& caller, const ResourceType& type, std::string_view id,
                        const JsonValue& shown, const AnyOperation& trigger) {
  AnyObject object = storable(caller, type, id, shown);
  std::size_t state = type.machine().initial;
  const auto admits = [&](std::size_t one) {
    const Move* move = type.states().find(trigger, static_cast<std::uint8_t>(one));
    return move == nullptr || move->refusal == nullptr;
  };
  for (std::size_t other = 0; other < type.machine().states.size() && !admits(state); ++other)
    state = other;
  if (!type.machine().states.empty()) type.shows(state).apply(object.ref());
  put(caller, type, id, std::move(object), static_cast<std::uint8_t>(state));
  settle(id);
}

void Mirror::refuse(const Caller& caller, const ResourceType& type, std::string_view id,
                    const AnyOperation& trigger, std::string_view code) {
  auto now = stored(caller, type, id);
  if (!now) return;
  std::optional<std::size_t> chosen;
  for (std::size_t state = 0; state < type.machine().states.size(); ++state) {
    const Move* move = type.states().find(trigger, static_cast<std::uint8_t>(state));
    if (move == nullptr || move->refusal == nullptr) continue;
    if (!chosen || move->refusal->code == code) chosen = state;
  }
  if (!chosen) return;
  now->state = static_cast<std::uint8_t>(*chosen);
  restore(caller, type, id, *now);
}

void Mirror::putBefore(const Caller& caller, const ResourceType& type, std::string_view first,
                       std::string_view second, Moved moved) {
  const auto change = engine_.change();
  Collection& collection = collectionOf(caller, type);
  std::vector<const Record*> newestFirst = recordsOf(collection);
  const auto placeOf = [&](std::string_view id) { return std::ranges::find(newestFirst, id, &Record::id); };
  const auto late = placeOf(first);
  const auto early = placeOf(second);
  if (late == newestFirst.end() || early == newestFirst.end() || late < early) return;
  const Record* const one = moved == Moved::first ? *late : *early;
  const std::int64_t created = (moved == Moved::first ? *early : *late)->position().created;
  std::rotate(early, moved == Moved::first ? late : std::next(early), std::next(late));
  collection = arranged(type, newestFirst, [&](const Record& record) {
    return &record == one ? created : record.position().created;
  });
}

void Mirror::putBefore(const Caller& caller, const ResourceType& type, std::string_view second,
                       const std::function<bool(std::string_view id)>& isMoved) {
  const auto change = engine_.change();
  Collection& collection = collectionOf(caller, type);
  std::vector<const Record*> newestFirst = recordsOf(collection);
  const auto at = std::ranges::find(newestFirst, second, &Record::id);
  const auto stays = [&](const Record* record) { return !isMoved(record->id()); };
  std::vector<const Record*> staying;
  std::copy_if(at, newestFirst.end(), std::back_inserter(staying), stays);
  std::ranges::copy(staying, std::remove_if(at, newestFirst.end(), stays));
  collection = arranged(type, newestFirst, [](const Record& record) { return record.position().created; });
}

std::optional<Mirror::Stored> Mirror::stored(const Caller& caller, const ResourceType& type,
                                             std::string_view id) const {
  const Record* record = collectionOf(caller, type).find(id);
  if (record == nullptr) return std::nullopt;
  return Stored{.json = record->json(), .state = record->state()};
}

void Mirror::restore(const Caller& caller, const ResourceType& type, std::string_view id,
                     const Stored& stored) {
  const auto change = engine_.change();
  collectionOf(caller, type).replace(id, stored.json, stored.state);
}

std::vector<Collection> Mirror::objectsOf(const Caller& caller) const {
  return caller.mode().collections;
}

void Mirror::restore(const Caller& caller, std::vector<Collection> objects) {
  const auto change = engine_.change();
  caller.mode().collections = std::move(objects);
}

void Mirror::adopt(const Caller& caller, const ResourceType& type, std::string_view id) {
  const auto change = engine_.change();
  const Record* record = collectionOf(caller, type).find(id);
  AnyObject object{type.model()};
  if (record == nullptr || tally::detail::readJson(record->json(), object.ref())) return;
  makeAccount(engine_.catalog(), change->accounts, change->settings, caller, type, object.ref(),
              engine_.clock()->now());
}

}  // namespace tally::fake::detail
