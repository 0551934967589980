#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include "schema/any_object.h"
#include "store/field_index.h"
#include "store/record.h"

namespace tally::fake::detail {

/// The indexes of a collection, created lazily: the first query on a field creates its index, which then
/// tracks every change. Objects that nobody searches cost neither memory nor time. Keeps `most` indexes and
/// evicts the least recently used. Copies share the indexes until either changes.
class SearchIndexes {
 public:
  static constexpr std::size_t most = 32;

  /// A changed or new object.
  struct Change {
    const Record* before = nullptr;  // null if the object is new
    const Record& after;
  };

  [[nodiscard]] bool empty() const noexcept { return indexes_.empty(); }

  /// The index of `field`, created from `records` if it does not exist; all records are of `model`. Valid
  /// until `most` other indexes were requested.
  template <class Records>
  [[nodiscard]] const FieldIndex& get(const SearchedField& field, const Struct& model,
                                      const Records& records) {
    if (const FieldIndex* index = find(field)) return *index;
    model_ = &model;
    boost::intrusive_ptr<FieldIndex> index{new FieldIndex{field}};
    for (const Record& record : records)
      index->add(read(record.json()).ref(), record.position());
    keep(index);
    return *index;
  }

  void add(std::string_view json, Position position);

  /// Updates the indexes after a change of the object at `position`.
  void move(std::string_view before, std::string_view after, Position position);

  /// Whether this has every index of `others`. Marks those it finds as recently used.
  [[nodiscard]] bool useAllOf(const SearchIndexes& others);

  /// Adopts the indexes that only `others` has, and applies `changes` to them.
  void adopt(const SearchIndexes& others, std::span<const Change> changes);

 private:
  [[nodiscard]] const FieldIndex* find(const SearchedField& field);
  void keep(boost::intrusive_ptr<FieldIndex> index);
  void follow(FieldIndex& index, const Change& change) const;
  [[nodiscard]] static FieldIndex& change(boost::intrusive_ptr<FieldIndex>& index);
  [[nodiscard]] AnyObject read(std::string_view json) const;

  const Struct* model_ = nullptr;
  std::vector<boost::intrusive_ptr<FieldIndex>> indexes_{};  // least recently used first
};

}  // namespace tally::fake::detail
