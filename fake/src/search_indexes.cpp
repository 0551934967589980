#include "search_indexes.h"

#include <algorithm>

#include "json_reader.h"

namespace tally::fake::detail {

const FieldIndex* SearchIndexes::find(const SearchedField& field) {
  const auto found =
      std::ranges::find_if(indexes_, [&](const auto& index) { return index->field() == field; });
  if (found == indexes_.end()) return nullptr;
  indexes_.splice(indexes_.end(), indexes_, found);
  return found->get();
}

FieldIndex& SearchIndexes::make(const SearchedField& field, const Struct& model) {
  model_ = &model;
  if (indexes_.size() == most) indexes_.pop_front();
  return *indexes_.emplace_back(new FieldIndex{field});
}

void SearchIndexes::fill(FieldIndex& index, const Record& record) const {
  index.add(read(record.json()).data(), record.position());
}

AnyObject SearchIndexes::read(std::string_view json) const {
  AnyObject object{*model_};
  (void)tally::detail::readJson(json, *model_, object.data());
  return object;
}

/// An index to be changed; no copy sees it.
FieldIndex& SearchIndexes::change(boost::intrusive_ptr<FieldIndex>& index) {
  if (index->use_count() > 1) index = new FieldIndex{*index};
  return *index;
}

void SearchIndexes::add(std::string_view json, Position position) {
  const AnyObject object = read(json);
  for (auto& index : indexes_)
    change(index).add(object.data(), position);
}

void SearchIndexes::move(std::string_view before, std::string_view after, Position position) {
  const AnyObject old = read(before);
  const AnyObject present = read(after);
  for (auto& index : indexes_)
    change(index).move(old.data(), present.data(), position);
}

}  // namespace tally::fake::detail
