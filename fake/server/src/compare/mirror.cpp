#include "compare/mirror.h"

#include <algorithm>
#include <utility>

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

/// Sets what a member says. What the fake can't store stays.
void take(const JsonMember& member, ObjectRef object) {
  const std::string name = member.name.string();
  const Field* field = object.type().find(name);
  if (field == nullptr || field->member == nullptr) return;
  AnyObject trial{object.type()};
  copyObject(object, trial.ref());
  const std::string json =
      '{' + std::string{member.name.text()} + ':' + std::string{member.value.text()} + '}';
  if (tally::detail::mergeJson(json, trial.ref())) return;
  if (UnknownFields* unknown = trial.ref().unknownFields()) unknown->clear();
  copyObject(trial.ref(), object);
}

/// Empties what `shown` lacks and may lack.
void clearMissing(const JsonValue& shown, ObjectRef object) {
  for (const Field& field : object.type().fields) {
    if (field.member == nullptr || field.required || field.type.optional == nullptr) continue;
    if (!memberOf(shown, field.name)) object.member(field).clear();
  }
}

/// The object as the fake can store it. The example stands for what is missing or has another type.
AnyObject storable(const ResourceType& type, const JsonValue& shown, std::string_view id, bool livemode) {
  AnyObject made{type.model()};
  const ObjectRef object = made.ref();
  const bool whole = !tally::detail::readJson(shown.text(), object) &&
                     (object.unknownFields() == nullptr || object.unknownFields()->empty());
  if (!whole) {
    copyObject(type.example(), object);
    clearMissing(shown, object);
    for (const JsonMember& member : shown.members())
      take(member, object);
  }
  (void)settleRawJson(object);
  type.id(object) = id;
  type.livemode(object) = livemode;
  return made;
}

bool shows(const ResourceType& type, std::size_t state, ConstObjectRef object) {
  AnyObject copy{type.model()};
  copyObject(object, copy.ref());
  type.shows(state).apply(copy.ref());
  return differences(object, copy.ref()).empty();
}

/// The state that an object is in, as its fields show; if they fit none, `otherwise`.
std::uint8_t stateOf(const ResourceType& type, ConstObjectRef object, std::uint8_t otherwise) {
  const std::size_t count = type.machine().states.size();
  if (count == 0 || shows(type, otherwise, object)) return otherwise;
  for (std::size_t state = 0; state < count; ++state)
    if (shows(type, state, object)) return static_cast<std::uint8_t>(state);
  return otherwise;
}

}  // namespace

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

bool Mirror::isUnplaced(std::string_view id) const {
  const auto found = doubted_.find(id);
  return found != doubted_.end() && found->second.unplaced;
}

void Mirror::doubt(const ResourceType& type, std::string_view id) {
  if (doubted_.try_emplace(std::string{id}, Doubt{.type = &type}).second) ++doubts_[&type];
}

void Mirror::settle(std::string_view id) {
  const auto found = doubted_.find(id);
  if (found == doubted_.end()) return;
  --doubts_[found->second.type];
  doubted_.erase(found);
}

void Mirror::put(const Caller& caller, const ResourceType& type, std::string_view id, AnyObject object,
                 std::uint8_t state) {
  const auto change = engine_.change();
  Collection& collection = collectionOf(caller, type);
  const std::string json = encode(object.ref());
  const Record* old = collection.find(id);
  const std::int64_t created = type.created(object.ref()).time_since_epoch().count();
  if (old != nullptr && old->position().created == created) {
    collection.replace(id, json, state);
    return;
  }
  const Instant now = engine_.clock()->now();
  if (old == nullptr) {
    collection.add(id, json, created, now, state);
    return;
  }
  Collection moved;
  std::vector<const Record*> oldestFirst;
  for (const Record& record : collection.newestFirst())
    oldestFirst.push_back(&record);
  std::ranges::reverse(oldestFirst);
  for (const Record* record : oldestFirst)
    if (record != old)
      moved.add(record->id(), record->json(), record->position().created, record->stored(), record->state());
  moved.add(id, json, created, old->stored(), state);
  collection = std::move(moved);
}

void Mirror::announce(const Caller& caller, const ResourceType& type, std::string_view id,
                      std::optional<std::int64_t> created) {
  AnyObject made{type.model()};
  const ObjectRef object = made.ref();
  copyObject(type.example(), object);
  type.id(object) = id;
  type.livemode(object) = caller.livemode;
  type.created(object) = std::chrono::sys_seconds{std::chrono::seconds{created.value_or(0)}};
  put(caller, type, id, std::move(made), type.machine().initial);
  doubt(type, id);
  if (!created) doubted_.find(id)->second.unplaced = true;
}

void Mirror::show(const Caller& caller, const ResourceType& type, std::string_view id,
                  const JsonValue& shown) {
  AnyObject object = storable(type, shown, id, caller.livemode);
  const auto before = stored(caller, type, id);
  const std::uint8_t state = stateOf(type, object.ref(), before ? before->state : type.machine().initial);
  put(caller, type, id, std::move(object), state);
  settle(id);
}

void Mirror::showBefore(const Caller& caller, const ResourceType& type, std::string_view id,
                        const JsonValue& shown, const AnyOperation& trigger) {
  AnyObject object = storable(type, shown, id, caller.livemode);
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
                       std::string_view second) {
  const auto change = engine_.change();
  Collection& collection = collectionOf(caller, type);
  std::vector<const Record*> newestFirst;
  for (const Record& record : collection.newestFirst())
    newestFirst.push_back(&record);
  const auto placeOf = [&](std::string_view id) { return std::ranges::find(newestFirst, id, &Record::id); };
  const auto late = placeOf(first);
  const auto early = placeOf(second);
  if (late == newestFirst.end() || early == newestFirst.end() || late < early) return;
  std::rotate(early, late, std::next(late));
  Collection arranged;
  std::ranges::reverse(newestFirst);
  for (const Record* record : newestFirst)
    arranged.add(record->id(), record->json(), record->position().created, record->stored(), record->state());
  collection = std::move(arranged);
}

std::optional<Mirror::Stored> Mirror::stored(const Caller& caller, const ResourceType& type,
                                             std::string_view id) const {
  const Record* record = collectionOf(caller, type).find(id);
  if (record == nullptr) return std::nullopt;
  return Stored{.json = std::string{record->json()}, .state = record->state()};
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
