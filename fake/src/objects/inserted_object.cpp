#include "objects/inserted_object.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "json/json_reader.h"
#include "json/json_writer.h"
#include "request/param_check.h"
#include "request/raw_json.h"
#include "tables/object_merge.h"
#include "tables/schema_types.h"

namespace tally::fake::detail {

namespace {

std::string joined(const std::string& outer, std::string_view name) {
  return outer.empty() ? std::string{name} : outer + '.' + std::string{name};
}

bool isSame(ConstValueRef one, ConstValueRef other) {
  std::string first;
  std::string second;
  tally::detail::writeJsonValue(first, one);
  tally::detail::writeJsonValue(second, other);
  return first == second;
}

void addDifferences(ConstObjectRef one, ConstObjectRef other, const std::string& outer, Paths& paths) {
  for (const Field& field : one.type().fields) {
    const ConstValueRef first = one.value(field);
    const ConstValueRef second = other.value(field);
    if (!first && !second) continue;
    const bool both = first && second;
    if (both && field.type.kind == Kind::object) {
      addDifferences(first.object(), second.object(), joined(outer, field.name), paths);
    } else if (!both || !isSame(first, second)) {
      paths.push_back(joined(outer, field.name));
    }
  }
}

void addPaths(const JsonValue& object, const std::string& outer, Paths& paths) {
  for (const auto& [name, value] : object.members()) {
    const std::string path = joined(outer, name.string());
    const std::size_t before = paths.size();
    if (value.isObject()) addPaths(value, path, paths);
    if (paths.size() == before) paths.push_back(path);  // a value, or an empty object
  }
}

[[noreturn]] void refuse(const ResourceType& type, const Refusal& refusal) {
  throw std::invalid_argument{"'" + refusal.param + "' of the " + type.words() +
                              " is invalid: " + refusal.detail};
}

/// Whether `path` equals `outer` or lies within it.
bool isWithin(std::string_view path, std::string_view outer) {
  return path.starts_with(outer) && (path.size() == outer.size() || path[outer.size()] == '.');
}

/// The paths at which `object` differs from what the state shows.
Paths unlike(const ResourceType& type, std::size_t state, ConstObjectRef object) {
  AnyObject shown{type.model()};
  copyObject(object, shown.ref());
  type.shows(state).apply(shown.ref());
  return differences(object, shown.ref());
}

/// The first path in `said` that the state shows differently.
std::optional<std::string> contradiction(const ResourceType& type, const Paths& said, std::size_t state,
                                         ConstObjectRef object) {
  for (std::string& path : unlike(type, state, object))
    if (isAmong(said, path)) return std::move(path);
  return std::nullopt;
}

std::string listOf(const ResourceType& type) {
  std::string names;
  for (const std::string_view state : type.machine().states)
    names += (names.empty() ? "" : ", ") + std::string{state};
  return names;
}

/// The only state that matches the object. `wrong` is the path that rules out the initial state.
std::size_t shownState(const ResourceType& type, const std::string& wrong, ConstObjectRef object) {
  std::optional<std::size_t> found;
  for (std::size_t state = 0; state < type.machine().states.size(); ++state) {
    if (!unlike(type, state, object).empty()) continue;
    if (found)
      throw std::invalid_argument{"'" + wrong + "' fits several states of " + withArticle(type) +
                                  "; pass the state"};
    found = state;
  }
  if (!found) throw std::invalid_argument{"'" + wrong + "' fits no state of " + withArticle(type)};
  return *found;
}

}  // namespace

bool isAmong(const Paths& said, std::string_view path) {
  return std::ranges::any_of(
      said, [&](std::string_view one) { return isWithin(one, path) || isWithin(path, one); });
}

std::string withArticle(const ResourceType& type) {
  constexpr std::string_view vowels = "aeiou";
  return (vowels.find(type.words().front()) == std::string_view::npos ? "a " : "an ") + type.words();
}

std::size_t stateNamed(const ResourceType& type, std::string_view name) {
  const auto states = type.machine().states;
  const auto found = std::ranges::find(states, name);
  if (found != states.end()) return static_cast<std::size_t>(found - states.begin());
  throw std::invalid_argument{withArticle(type) + " has no state '" + std::string{name} + "'" +
                              (states.empty() ? "" : "; expected one of " + listOf(type))};
}

Paths differences(ConstObjectRef one, ConstObjectRef other) {
  Paths paths;
  addDifferences(one, other, {}, paths);
  return paths;
}

Paths pathsIn(const JsonValue& object) {
  Paths paths;
  addPaths(object, {}, paths);
  return paths;
}

std::uint8_t complete(const ResourceType& type, const Paths& said, std::string_view state, ObjectRef object) {
  type.onCreate().apply(object, [&](std::string_view target) { return isAmong(said, target); });
  if (type.machine().states.empty() && state.empty()) return 0;
  std::size_t chosen = state.empty() ? type.machine().initial : stateNamed(type, state);
  if (const auto wrong = contradiction(type, said, chosen, object)) {
    if (!state.empty())
      throw std::invalid_argument{"'" + *wrong + "' contradicts the state '" + std::string{state} + "' of " +
                                  withArticle(type)};
    chosen = shownState(type, *wrong, object);
  }
  type.shows(chosen).apply(object);
  return static_cast<std::uint8_t>(chosen);
}

void checkNew(const ResourceType& type, const Collection& collection, std::string_view id) {
  if (collection.find(id) != nullptr)
    throw std::invalid_argument{"the " + type.words() + " '" + std::string{id} + "' already exists"};
}

void checkStorable(const ResourceType& type, const Collection& collection, ObjectRef object) {
  const std::string& id = type.id(object);
  const std::string_view prefix = type.resource().idPrefix;
  if (!id.starts_with(prefix) || id.size() == prefix.size())
    throw std::invalid_argument{"'" + id + "' is not a valid identifier of " + withArticle(type)};
  checkNew(type, collection, id);
  if (const Fault fault = checkValues(object)) refuse(type, *fault);
}

void settle(const ResourceType& type, ObjectRef object) {
  if (const Fault fault = settleRawJson(object)) refuse(type, *fault);
}

void checkSendable(const ResourceType& type, std::string_view json) {
  AnyObject read{type.model()};
  if (const auto problem = tally::detail::readJson(json, read.ref()))
    throw std::invalid_argument{"the " + type.words() + " can't be sent as JSON: " + *problem};
}

}  // namespace tally::fake::detail
