#include "objects/objects.h"

#include <stdexcept>
#include <utility>

#include "errors.h"
#include "json/json_reader.h"
#include "json/json_writer.h"
#include "tables/object_merge.h"

namespace tally::fake::detail {

namespace {

/// The usual maximum growth of the JSON of an object in one change.
constexpr std::size_t roomToGrow = 128;

Refusal missing(const ObjectRequest& request) {
  return {
      .response = &errors::resourceMissing, .value = std::string{request.id}, .words = request.type.words()};
}

Fault checkReferences(const ObjectRequest& request) {
  return request.params ? checkReferences(request.params, request.visible) : std::nullopt;
}

void merge(const ObjectRequest& request, ObjectRef object) {
  if (request.params) mergeGiven(request.params, object);
}

AnyObject decode(const ResourceType& type, const Record& record) {
  AnyObject object{type.model()};
  if (const auto problem = tally::detail::readJson(record.json(), object.ref()))
    throw std::logic_error{"an object in the store can't be read: " + *problem};
  return object;
}

}  // namespace

void beginObject(const ResourceType& type, const Collection& collection, IdGenerator& ids, Instant now,
                 bool livemode, ObjectRef object) {
  copyObject(type.example(), object);
  renewObject(type, collection, ids, now, object, [](std::string_view) { return false; });
  type.livemode(object) = livemode;
}

void renewObject(const ResourceType& type, const Collection& collection, IdGenerator& ids, Instant now,
                 ObjectRef object, const std::function<bool(std::string_view)>& isKept) {
  const bool keepsOwn = isKept(type.freshIds().front().name);
  do
    for (const auto& [name, path] : type.freshIds()) {
      std::string id = ids.next(path.field().idPrefix);
      if (!isKept(name)) path.make(object).text() = std::move(id);
    }
  while (!keepsOwn && collection.find(type.id(object)) != nullptr);  // a test may have inserted the same one
  if (!isKept("created")) type.created(object) = std::chrono::floor<std::chrono::seconds>(now);
}

void storeObject(const ResourceType& type, Collection& collection, Instant now, ObjectRef object,
                 std::string_view json, std::uint8_t state) {
  const std::int64_t created = type.created(object).time_since_epoch().count();
  collection.add(type.id(object), json, created, now, state, type.sharedJson());
}

std::string encode(ConstObjectRef object, std::size_t expectedSize) {
  std::string json;
  json.reserve(expectedSize);
  tally::detail::writeJson(json, object);
  return json;
}

Response retrieveObject(const ObjectRequest& request) {
  const Record* record = request.collection.find(request.id);
  if (record == nullptr) return missing(request);
  return record->json();
}

Response createObject(const ObjectRequest& request, IdGenerator& ids) {
  if (Fault fault = checkReferences(request)) return *std::move(fault);
  AnyObject created{request.type.model()};
  const ObjectRef object = created.ref();
  beginObject(request.type, request.collection, ids, request.now, request.livemode, object);
  if (Metadata* metadata = request.type.metadata(object)) metadata->clear();
  merge(request, object);
  request.type.onCreate().apply(object);
  merge(request, object);  // values from the caller override derived ones
  std::string json = encode(object);
  storeObject(request.type, request.collection, request.now, object, json, request.type.machine().initial);
  return json;
}

Response changeObject(const ObjectRequest& request) {
  const Record* record = request.collection.find(request.id);
  if (record == nullptr) return missing(request);
  if (Fault fault = checkReferences(request)) return *std::move(fault);
  const Move* move = request.type.states().find(request.operation, record->state());
  if (move != nullptr && move->refusal != nullptr)
    return Refusal{
        .response = move->refusal, .value = std::string{request.id}, .words = request.type.words()};
  AnyObject decoded = decode(request.type, *record);
  const ObjectRef object = decoded.ref();
  if (move != nullptr) move->effects.apply(object);
  merge(request, object);
  std::string json = encode(object, record->jsonSize() + roomToGrow);
  request.collection.replace(request.id, json, move == nullptr ? record->state() : move->after);
  return json;
}

}  // namespace tally::fake::detail
