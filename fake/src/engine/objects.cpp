#include "engine/objects.h"

#include <stdexcept>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "errors.h"
#include "tables/object_merge.h"

namespace tally::fake::detail {

namespace {

/// The usual maximum growth of the JSON of an object in one change.
constexpr std::size_t roomToGrow = 128;

Refusal missing(const Task& task) {
  return {.response = &errors::resourceMissing, .value = std::string{task.id}, .words = task.type.words()};
}

Fault checkReferences(const Task& task) {
  if (task.params == nullptr) return std::nullopt;
  return checkReferences(*task.operation.params, task.params, task.visible);
}

void merge(const Task& task, void* object) {
  if (task.params != nullptr) mergeGiven(*task.operation.params, task.params, task.type.model(), object);
}

AnyObject decode(const ResourceType& type, const Record& record) {
  AnyObject object{type.model()};
  if (const auto problem = tally::detail::readJson(record.json(), type.model(), object.data()))
    throw std::logic_error{"an object in the store can't be read: " + *problem};
  return object;
}

}  // namespace

void beginObject(const ResourceType& type, const Collection& collection, IdGenerator& ids, Instant now,
                 bool livemode, void* object) {
  copyObject(type.model(), type.example(), object);
  do
    for (const FieldPath& path : type.freshIds())
      tally::detail::textAt(path.make(object)) = ids.next(path.field().idPrefix);
  while (collection.find(type.id(object)) != nullptr);  // a test may have seeded the same identifier
  type.created(object) = std::chrono::floor<std::chrono::seconds>(now);
  type.livemode(object) = livemode;
}

void storeObject(const ResourceType& type, Collection& collection, Instant now, void* object,
                 std::string_view json, std::uint8_t state) {
  const std::int64_t created = type.created(object).time_since_epoch().count();
  collection.add(type.id(object), json, created, now, state);
}

std::string encode(const ResourceType& type, const void* object, std::size_t expectedSize) {
  std::string json;
  json.reserve(expectedSize);
  tally::detail::writeJson(json, type.model(), object);
  return json;
}

Response retrieveObject(const Task& task) {
  const Record* record = task.collection.find(task.id);
  if (record == nullptr) return missing(task);
  return std::string{record->json()};
}

Response createObject(const Task& task, IdGenerator& ids) {
  if (Fault fault = checkReferences(task)) return *std::move(fault);
  AnyObject object{task.type.model()};
  beginObject(task.type, task.collection, ids, task.now, task.livemode, object.data());
  if (Metadata* metadata = task.type.metadata(object.data())) metadata->clear();
  merge(task, object.data());
  task.type.onCreate().apply(object.data());
  merge(task, object.data());  // values from the caller override derived ones
  std::string json = encode(task.type, object.data());
  storeObject(task.type, task.collection, task.now, object.data(), json, task.type.machine().initial);
  return json;
}

Response changeObject(const Task& task) {
  const Record* record = task.collection.find(task.id);
  if (record == nullptr) return missing(task);
  if (Fault fault = checkReferences(task)) return *std::move(fault);
  const Move* move = task.type.states().find(task.operation, record->state());
  if (move != nullptr && move->refusal != nullptr)
    return Refusal{.response = move->refusal, .value = std::string{task.id}, .words = task.type.words()};
  AnyObject object = decode(task.type, *record);
  if (move != nullptr) move->effects.apply(object.data());
  merge(task, object.data());
  std::string json = encode(task.type, object.data(), record->json().size() + roomToGrow);
  task.collection.replace(task.id, json, move == nullptr ? record->state() : move->after);
  return json;
}

}  // namespace tally::fake::detail
