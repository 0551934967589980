#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include "store/field_index.h"
#include "store/record.h"
#include "tables/any_object.h"

namespace tally::fake::detail {

/// The indexes of a collection. There is none before something is searched for: the index of a field is made
/// when a query first speaks of that field, and follows every change from then on, so objects that nobody
/// searches for cost neither memory nor time. Beyond `most`, the one that was not used for longest goes. A
/// copy shares them until either changes.
class SearchIndexes {
 public:
  static constexpr std::size_t most = 32;

  /// An object that is otherwise than it was, or new.
  struct Change {
    const Record* before = nullptr;  // null for a new one
    const Record& after;
  };

  [[nodiscard]] bool empty() const noexcept { return indexes_.empty(); }

  /// The index of `field`, filled from `records`, all of `model`, if it has to be made. It stays until `most`
  /// others have been asked for.
  template <class Records>
  [[nodiscard]] const FieldIndex& get(const SearchedField& field, const Struct& model,
                                      const Records& records) {
    if (const FieldIndex* index = find(field)) return *index;
    model_ = &model;
    boost::intrusive_ptr<FieldIndex> index{new FieldIndex{field}};
    for (const Record& record : records)
      index->add(read(record.json()).data(), record.position());
    keep(index);
    return *index;
  }

  void add(std::string_view json, Position position);

  /// The object at `position` has changed.
  void move(std::string_view before, std::string_view after, Position position);

  /// Whether there is every one that `others` has; those were then used now.
  [[nodiscard]] bool useAllOf(const SearchIndexes& others);

  /// Takes over the indexes that only `others` has. They do not know of `changes` yet.
  void adopt(const SearchIndexes& others, std::span<const Change> changes);

 private:
  [[nodiscard]] const FieldIndex* find(const SearchedField& field);
  void keep(boost::intrusive_ptr<FieldIndex> index);
  void follow(FieldIndex& index, const Change& change) const;
  [[nodiscard]] static FieldIndex& change(boost::intrusive_ptr<FieldIndex>& index);
  [[nodiscard]] AnyObject read(std::string_view json) const;

  const Struct* model_ = nullptr;
  std::vector<boost::intrusive_ptr<FieldIndex>> indexes_{};  // the one that was used last stands last
};

}  // namespace tally::fake::detail
