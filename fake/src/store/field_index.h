#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "store/index_key.h"
#include "store/record.h"
#include "store/searched_field.h"
#include "store/shared_order.h"

namespace tally::fake::detail {

/// Which objects have which value in one field. It names objects by their position, so it can be copied along
/// with them; a copy shares what neither of them changes. About 32 bytes an object that has a value.
class FieldIndex : public boost::intrusive_ref_counter<FieldIndex> {
 public:
  struct Entry {
    IndexKey key = 0;
    Position position{};
  };

  /// Down from the greatest entry they stand by key, the smallest first, and those of one key in the order of
  /// lists.
  struct Less {
    bool operator()(const Entry& one, const Entry& other) const noexcept {
      return one.key != other.key ? other.key < one.key : one.position < other.position;
    }
  };

  using Entries = SharedOrder<Entry, Less>;
  using Iterator = Entries::Place;

  explicit FieldIndex(SearchedField field) : field_(std::move(field)) {}

  [[nodiscard]] const SearchedField& field() const noexcept { return field_; }

  void add(const void* object, Position position);

  /// Notes that the object at `position` was `before` and is `after`.
  void move(const void* before, const void* after, Position position);

  [[nodiscard]] std::size_t count(KeyRange keys) const;

  /// The first object with this key, or behind `after` in the order of lists; where there is none, the first
  /// of those with a larger key.
  [[nodiscard]] Iterator find(IndexKey key, std::optional<Position> after) const;

  [[nodiscard]] Iterator end() const { return entries_.end(); }

 private:
  SearchedField field_;
  Entries entries_{};
};

}  // namespace tally::fake::detail
