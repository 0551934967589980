#include "objects/object_series.h"

#include "objects/objects.h"

namespace tally::fake::detail {

void ObjectSeries::advance(const Collection& collection, IdGenerator& ids, Instant now) {
  renewObject(type_, collection, ids, now, object_, [this](std::string_view path) { return isSaid(path); });
  if (isSaid(type_.freshIds().front().name)) checkNew(type_, collection, type_.id(object_));
  const std::int64_t created = type_.created(object_).time_since_epoch().count();
  if (!blanks_ || created != present_.created) return encodeWhole();
  takeIds();
  fill(*blanks_, present_);
}

void ObjectSeries::takeIds() {
  present_.ids.resize(type_.freshIds().size());
  for (std::size_t i = 0; i < present_.ids.size(); ++i)
    present_.ids[i] = type_.freshIds()[i].path.make(object_).text();
}

void ObjectSeries::encodeWhole() {
  type_.onCreate().apply(object_, [this](std::string_view path) { return isSaid(path); });
  if (!type_.machine().states.empty()) type_.shows(state_).apply(object_);
  const Made before = std::exchange(present_, {});
  takeIds();
  present_.json = encode(object_);
  present_.created = type_.created(object_).time_since_epoch().count();
  blanks_ = type_.rules().isAccount ? std::nullopt : blanksBetween(before, present_);
}

/// New identifiers are as long as those they replace.
void ObjectSeries::fill(const Blanks& blanks, Made& made) {
  for (const auto& [at, id] : blanks)
    made.json.replace(at, made.ids[id].size(), made.ids[id]);
}

/// The places where each object has an identifier of its own, also as a value that derives from one. Nothing
/// if the two differ elsewhere.
std::optional<ObjectSeries::Blanks> ObjectSeries::blanksBetween(const Made& one, const Made& other) {
  Blanks blanks;
  for (std::size_t i = 0; i < one.ids.size(); ++i) {
    if (one.ids[i] == other.ids[i]) continue;  // a given one, which may also occur within a new one by chance
    for (auto at = one.json.find(one.ids[i]); at != std::string::npos; at = one.json.find(one.ids[i], at + 1))
      if (other.json.compare(at, other.ids[i].size(), other.ids[i]) == 0) blanks.push_back({at, i});
  }
  Made filled{.json = one.json, .ids = other.ids};
  fill(blanks, filled);
  return filled.json == other.json ? std::optional{std::move(blanks)} : std::nullopt;
}

}  // namespace tally::fake::detail
