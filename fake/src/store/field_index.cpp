#include "store/field_index.h"

#include <limits>

namespace tally::fake::detail {

namespace {

constexpr Position newest{std::numeric_limits<std::int64_t>::max(),
                          std::numeric_limits<std::uint64_t>::max()};
constexpr Position oldest{std::numeric_limits<std::int64_t>::min(), 0};

}  // namespace

void FieldIndex::add(ConstObjectRef object, Position position) {
  if (const auto key = indexKeyOf(field_.in(object))) entries_.insert({*key, position});
}

void FieldIndex::move(ConstObjectRef before, ConstObjectRef after, Position position) {
  const auto oldKey = indexKeyOf(field_.in(before));
  const auto newKey = indexKeyOf(field_.in(after));
  if (oldKey == newKey) return;
  if (oldKey) entries_.erase({*oldKey, position});
  if (newKey) entries_.insert({*newKey, position});
}

std::size_t FieldIndex::count(KeyRange keys) const {
  if (keys.empty()) return 0;
  return entries_.distance(entries_.below({keys.first, newest}), entries_.below({keys.last, oldest}));
}

FieldIndex::Iterator FieldIndex::find(IndexKey key, std::optional<Position> after) const {
  return entries_.below({key, after.value_or(newest)});
}

}  // namespace tally::fake::detail
