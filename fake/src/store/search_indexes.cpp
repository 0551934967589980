#include "store/search_indexes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "json/json_reader.h"

namespace tally::fake::detail {

const FieldIndex* SearchIndexes::find(const SearchedField& field) {
  const auto found =
      std::ranges::find_if(indexes_, [&](const auto& index) { return index->field() == field; });
  if (found == indexes_.end()) return nullptr;
  std::rotate(found, std::next(found), indexes_.end());
  return indexes_.back().get();
}

void SearchIndexes::keep(boost::intrusive_ptr<FieldIndex> index) {
  if (indexes_.size() == most) indexes_.erase(indexes_.begin());
  indexes_.push_back(std::move(index));
}

AnyObject SearchIndexes::read(std::string_view json) const {
  AnyObject object{*model_};
  (void)tally::detail::readJson(json, object.ref());
  return object;
}

/// Copies the index first if it is shared.
FieldIndex& SearchIndexes::change(boost::intrusive_ptr<FieldIndex>& index) {
  if (index->use_count() > 1) index = new FieldIndex{*index};
  return *index;
}

void SearchIndexes::add(std::string_view json, Position position) {
  const AnyObject object = read(json);
  for (auto& index : indexes_)
    change(index).add(object.ref(), position);
}

void SearchIndexes::move(std::string_view before, std::string_view after, Position position) {
  const AnyObject old = read(before);
  const AnyObject present = read(after);
  for (auto& index : indexes_)
    change(index).move(old.ref(), present.ref(), position);
}

bool SearchIndexes::useAllOf(const SearchIndexes& others) {
  return std::ranges::all_of(others.indexes_,
                             [&](const auto& index) { return find(index->field()) != nullptr; });
}

void SearchIndexes::follow(FieldIndex& index, const Change& change) const {
  const AnyObject present = read(change.after.json());
  if (change.before == nullptr) return index.add(present.ref(), change.after.position());
  index.move(read(change.before->json()).ref(), present.ref(), change.after.position());
}

void SearchIndexes::adopt(const SearchIndexes& others, std::span<const Change> changes) {
  model_ = others.model_;
  for (boost::intrusive_ptr<FieldIndex> index : others.indexes_) {
    if (find(index->field()) != nullptr) continue;
    for (const Change& one : changes)
      follow(change(index), one);
    keep(std::move(index));
  }
}

}  // namespace tally::fake::detail
