#pragma once

#include <cstddef>
#include <list>
#include <string_view>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include "any_object.h"
#include "field_index.h"
#include "record.h"

namespace tally::fake::detail {

/// The indexes of a collection. There is none before something is searched for: the index of a field is made
/// when a query first speaks of that field, and follows every change from then on, so objects that nobody
/// searches for cost neither memory nor time. Beyond `most`, the one that was not used for longest goes. A
/// copy shares them until either changes.
class SearchIndexes {
 public:
  static constexpr std::size_t most = 32;

  [[nodiscard]] bool empty() const noexcept { return indexes_.empty(); }

  /// The index of `field`, filled from `records`, all of `model`, if it has to be made. It stays until `most`
  /// others have been asked for.
  template <class Records>
  [[nodiscard]] const FieldIndex& get(const SearchedField& field, const Struct& model,
                                      const Records& records) {
    if (const FieldIndex* index = find(field)) return *index;
    FieldIndex& index = make(field, model);
    for (const Record& record : records)
      fill(index, record);
    return index;
  }

  void add(std::string_view json, Position position);

  /// The object at `position` has changed.
  void move(std::string_view before, std::string_view after, Position position);

 private:
  [[nodiscard]] const FieldIndex* find(const SearchedField& field);
  [[nodiscard]] FieldIndex& make(const SearchedField& field, const Struct& model);
  void fill(FieldIndex& index, const Record& record) const;
  [[nodiscard]] static FieldIndex& change(boost::intrusive_ptr<FieldIndex>& index);
  [[nodiscard]] AnyObject read(std::string_view json) const;

  const Struct* model_ = nullptr;
  std::list<boost::intrusive_ptr<FieldIndex>> indexes_{};  // the one that was used last stands last
};

}  // namespace tally::fake::detail
