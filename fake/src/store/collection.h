#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "packing/shared_text.h"
#include "store/cow_sorted_set.h"
#include "store/cow_vector.h"
#include "store/id_index.h"
#include "store/record.h"
#include "store/search_indexes.h"

namespace tally::fake::detail {

/// The objects of one resource in one mode of an account. Lookups by identifier and by position take constant
/// time; lists can start anywhere; indexes find objects by field value.
///
/// A copy is independent. It takes almost no time and memory because it shares all unchanged data with its
/// original. This makes snapshots, forks and resets cheap, and lets a thread scan many objects in a copy
/// while others change the original.
class Collection {
 public:
  using ListOrder = CowSortedSet<Position>;

  /// The objects in list order.
  class Ordered {
   public:
    class Iterator {
     public:
      using iterator_category = std::bidirectional_iterator_tag;
      using value_type = Record;
      using difference_type = std::ptrdiff_t;
      using pointer = const Record*;
      using reference = const Record&;

      Iterator(const CowVector<Record>& records, ListOrder::Place place)
          : records_(&records), place_(place) {}

      reference operator*() const { return (*records_)[(*place_).index()]; }
      pointer operator->() const { return &**this; }
      Iterator& operator++() {
        ++place_;
        return *this;
      }
      Iterator operator++(int) {
        Iterator old = *this;
        ++*this;
        return old;
      }
      Iterator& operator--() {
        --place_;
        return *this;
      }
      Iterator operator--(int) {
        Iterator old = *this;
        --*this;
        return old;
      }
      bool operator==(const Iterator&) const = default;

     private:
      const CowVector<Record>* records_;
      ListOrder::Place place_;
    };

    Ordered(const CowVector<Record>& records, const ListOrder& order) : records_(records), order_(order) {}

    [[nodiscard]] Iterator begin() const { return {records_, order_.greatest()}; }
    [[nodiscard]] Iterator end() const { return {records_, order_.end()}; }
    /// The iterator to an object of the collection.
    [[nodiscard]] Iterator at(Position position) const { return {records_, order_.at(position)}; }
    /// The iterator to the first older object.
    [[nodiscard]] Iterator behind(Position position) const { return {records_, order_.below(position)}; }

   private:
    const CowVector<Record>& records_;
    const ListOrder& order_;
  };

  /// Null if not found. Valid until an object is added or replaced.
  [[nodiscard]] const Record* find(std::string_view id) const;

  /// The object at `position`, which must exist.
  [[nodiscard]] const Record& at(Position position) const { return records_[position.index()]; }

  // An exception leaves the objects as they were. Later searches then create the indexes again.

  /// Adds a new identifier. The object follows all others with the same `created`. Its JSON may repeat parts
  /// of `shared`, which must outlive it and its copies.
  void add(std::string_view id, std::string_view json, std::int64_t created, Instant stored,
           std::uint8_t state, const SharedText& shared = SharedText::none());

  /// Keeps the identifier and the position of the object.
  void replace(std::string_view id, std::string_view json, std::uint8_t state);

  [[nodiscard]] Ordered newestFirst() const { return {records_, order_}; }

  /// The index of `field`; all objects are of `model`. SearchIndexes documents how long it stays.
  [[nodiscard]] const FieldIndex& index(const SearchedField& field, const Struct& model) {
    return indexes_.get(field, model, newestFirst());
  }

  /// Adopts the indexes created in `searched`, an earlier copy of this collection. Returns false if more than
  /// `most` objects were changed or added since, as updating the indexes would take long. Nothing but the
  /// speed of later searches depends on the indexes, so a reader may keep them.
  [[nodiscard]] bool keepIndexes(const Collection& searched, std::size_t most) const;

  [[nodiscard]] std::size_t size() const { return records_.size(); }

 private:
  CowVector<Record> records_{};  // in the order in which they were stored
  ListOrder order_{};
  IdIndex ids_{};
  mutable SearchIndexes indexes_{};
};

}  // namespace tally::fake::detail
