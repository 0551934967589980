#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include <boost/multi_index/identity.hpp>
#include <boost/multi_index/ranked_index.hpp>
#include <boost/multi_index_container.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "index_key.h"
#include "record.h"
#include "searched_field.h"

namespace tally::fake::detail {

/// Which objects have which value in one field. It names objects by their position, so it can be copied along
/// with them. About 64 bytes an object that has a value.
class FieldIndex : public boost::intrusive_ref_counter<FieldIndex> {
 public:
  struct Entry {
    IndexKey key = 0;
    Position position{};
  };

  /// By key, and those of one key in the order of lists.
  struct Order {
    bool operator()(const Entry& one, const Entry& other) const noexcept {
      return one.key != other.key ? one.key < other.key : other.position < one.position;
    }
  };

  /// Ranked, so that a range is counted without walking through it.
  using Entries =
      boost::multi_index_container<Entry, boost::multi_index::indexed_by<boost::multi_index::ranked_unique<
                                              boost::multi_index::identity<Entry>, Order>>>;
  using Iterator = Entries::const_iterator;

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
