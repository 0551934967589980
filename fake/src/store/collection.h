#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "store/id_index.h"
#include "store/record.h"
#include "store/search_indexes.h"
#include "store/shared_order.h"
#include "store/shared_vector.h"

namespace tally::fake::detail {

/// The objects of one resource in one mode of an account. Looked up by identifier and by position in
/// constant time, listed from any place; indexes find those that have some value in a field.
///
/// A copy is a collection of its own. It takes next to no time and memory, because it shares with its
/// original all that neither of them changes. That is what makes snapshots, forks and resets cheap, and why
/// whoever looks through many objects can do so in a copy, while others change the original.
class Collection {
 public:
  using ListOrder = SharedOrder<Position>;

  /// The objects in the order of lists.
  class Ordered {
   public:
    class Iterator {
     public:
      using iterator_category = std::bidirectional_iterator_tag;
      using value_type = Record;
      using difference_type = std::ptrdiff_t;
      using pointer = const Record*;
      using reference = const Record&;

      Iterator(const SharedVector<Record>& records, ListOrder::Place place)
          : records_(&records), place_(place) {}

      reference operator*() const { return (*records_)[(*place_).sequence]; }
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
      const SharedVector<Record>* records_;
      ListOrder::Place place_;
    };

    Ordered(const SharedVector<Record>& records, const ListOrder& order) : records_(records), order_(order) {}

    [[nodiscard]] Iterator begin() const { return {records_, order_.greatest()}; }
    [[nodiscard]] Iterator end() const { return {records_, order_.end()}; }
    /// Where an object of the collection stands.
    [[nodiscard]] Iterator at(Position position) const { return {records_, order_.at(position)}; }
    /// The first one that is older.
    [[nodiscard]] Iterator behind(Position position) const { return {records_, order_.below(position)}; }

   private:
    const SharedVector<Record>& records_;
    const ListOrder& order_;
  };

  /// Null where there is none. Holds until something is added or replaced.
  [[nodiscard]] const Record* find(std::string_view id) const;

  /// The one that stands there; there must be one.
  [[nodiscard]] const Record& at(Position position) const { return records_[position.sequence]; }

  /// Behind all others of the same `created`. There must be none of that identifier.
  void add(std::string_view id, std::string_view json, std::int64_t created, Instant stored,
           std::uint8_t state);

  /// Keeps the object's identifier and its place.
  void replace(std::string_view id, std::string_view json, std::uint8_t state);

  [[nodiscard]] Ordered newestFirst() const { return {records_, order_}; }

  /// Which objects, all of `model`, have which value in `field`. See SearchIndexes for how long it stays.
  [[nodiscard]] const FieldIndex& index(const SearchedField& field, const Struct& model) {
    return indexes_.get(field, model, newestFirst());
  }

  /// Takes over the indexes that were made in `searched`, an earlier copy of this one. False where more than
  /// `most` objects have changed or come since: to tell the indexes of so many would take long.
  [[nodiscard]] bool keepIndexes(const Collection& searched, std::size_t most);

  [[nodiscard]] std::size_t size() const { return records_.size(); }

 private:
  SharedVector<Record> records_{};  // in the order in which they were stored
  ListOrder order_{};
  IdIndex ids_{};
  SearchIndexes indexes_{};
};

}  // namespace tally::fake::detail
