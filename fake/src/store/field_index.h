#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "store/cow_sorted_set.h"
#include "store/index_key.h"
#include "store/record.h"
#include "store/searched_field.h"

namespace tally::fake::detail {

/// Maps values of one field to objects. It refers to objects by position, so it can be copied along with
/// them. Copies share unchanged data. An entry takes 24 bytes, plus the spare capacity of its vector.
class FieldIndex : public boost::intrusive_ref_counter<FieldIndex> {
 public:
  struct Entry {
    IndexKey key = 0;
    Position position{};
  };

  /// Iterating down from the greatest entry visits keys in ascending order, and the objects of a key in list
  /// order.
  struct Less {
    bool operator()(const Entry& one, const Entry& other) const noexcept {
      return one.key != other.key ? other.key < one.key : one.position < other.position;
    }
  };

  using Entries = CowSortedSet<Entry, Less>;
  using Iterator = Entries::Place;

  explicit FieldIndex(SearchedField field) : field_(std::move(field)) {}

  [[nodiscard]] const SearchedField& field() const noexcept { return field_; }

  void add(ConstObjectRef object, Position position);

  /// Updates the entry of the object at `position`.
  void move(ConstObjectRef before, ConstObjectRef after, Position position);

  [[nodiscard]] std::size_t count(KeyRange keys) const;

  /// The first object with this key (after `after`, if given, in list order), or else the first with a
  /// greater key.
  [[nodiscard]] Iterator find(IndexKey key, std::optional<Position> after) const;

  [[nodiscard]] Iterator end() const { return entries_.end(); }

 private:
  SearchedField field_;
  Entries entries_{};
};

}  // namespace tally::fake::detail
