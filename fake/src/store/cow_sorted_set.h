#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "store/copy_on_write.h"

namespace tally::fake::detail {

/// A sorted set, iterated from the greatest value down. Copying takes constant time; copies share unchanged
/// data.
template <class T, class Less = std::less<T>>
class CowSortedSet {
 public:
  /// An iterator. Valid until the set changes.
  class Place {
   public:
    [[nodiscard]] const T& operator*() const { return partAt(part_)[count_ - 1]; }
    [[nodiscard]] const T* operator->() const { return &**this; }

    /// Moves to the next smaller value.
    Place& operator++() {
      --count_;
      toPartBefore();
      return *this;
    }

    /// Moves to the next greater value.
    Place& operator--() {
      if (count_ < partAt(part_).size()) {
        ++count_;
      } else {
        ++part_;
        count_ = 1;
      }
      return *this;
    }

    bool operator==(const Place&) const = default;

   private:
    friend class CowSortedSet;
    Place(const CowSortedSet& order, std::size_t part, std::size_t count)
        : order_(&order), part_(part), count_(count) {
      toPartBefore();
    }

    [[nodiscard]] const std::vector<T>& partAt(std::size_t part) const {
      return *(*order_->parts_)[part].values;
    }

    /// Skips to the greatest value of the previous part if this part has no values left.
    void toPartBefore() {
      if (count_ != 0 || part_ == 0) return;
      --part_;
      count_ = partAt(part_).size();
    }

    const CowSortedSet* order_;
    std::size_t part_;
    std::size_t count_;  // the values of the part up to this one
  };

  /// `value` must be new. An exception leaves the values as they were.
  void insert(const T& value) {
    std::vector<Part>& parts = parts_.change();
    std::size_t at = partFor(value);
    if (at == parts.size()) {
      if (at == 0 || parts.back().values->size() == mostPerPart) {
        parts.push_back({Values{std::vector<T>{value}}, value});
        return;
      }
      --at;
    } else if (parts[at].values->size() == mostPerPart) {
      divide(parts, at);
      at = partFor(value);
    }
    std::vector<T>& values = parts[at].values.change();
    values.insert(std::ranges::lower_bound(values, value, Less{}), value);
    parts[at].bound = std::max(parts[at].bound, value, Less{});
  }

  /// `value` must exist.
  void erase(const T& value) {
    std::vector<Part>& parts = parts_.change();
    const std::size_t at = partFor(value);
    std::vector<T>& values = parts[at].values.change();
    values.erase(std::ranges::lower_bound(values, value, Less{}));
    if (values.empty()) parts.erase(std::next(parts.begin(), static_cast<std::ptrdiff_t>(at)));
  }

  [[nodiscard]] Place greatest() const {
    return parts_->empty() ? end() : Place{*this, parts_->size() - 1, parts_->back().values->size()};
  }
  /// One past the smallest value.
  [[nodiscard]] Place end() const { return {*this, 0, 0}; }
  /// `value` must exist.
  [[nodiscard]] Place at(const T& value) const {
    Place place = below(value);
    --place;
    return place;
  }
  /// The greatest value smaller than `value`.
  [[nodiscard]] Place below(const T& value) const {
    const std::size_t at = partFor(value);
    if (at == parts_->size()) return greatest();
    const std::vector<T>& values = *(*parts_)[at].values;
    return {*this, at,
            static_cast<std::size_t>(std::ranges::lower_bound(values, value, Less{}) - values.begin())};
  }

  /// The number of steps down from one place to another.
  [[nodiscard]] std::size_t distance(const Place& from, const Place& to) const {
    std::size_t sum = from.count_ - to.count_;  // may wrap around until the parts between are added
    for (std::size_t part = to.part_; part < from.part_; ++part)
      sum += (*parts_)[part].values->size();
    return sum;
  }

 private:
  /// In ascending order, so that new values, usually the greatest, are appended.
  using Values = CopyOnWrite<std::vector<T>>;
  struct Part {
    Values values{};
    /// Not less than its values, and less than those of the next part. Kept here, since a search that looked
    /// into each part would wait for memory several times at each.
    T bound{};
  };
  static constexpr std::size_t mostPerPart = 512;

  /// The first part whose bound is not less than `value`.
  [[nodiscard]] std::size_t partFor(const T& value) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(*parts_, value, Less{}, &Part::bound) -
                                    parts_->begin());
  }

  static void divide(std::vector<Part>& parts, std::size_t at) {
    std::vector<T>& values = parts[at].values.change();
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    parts.insert(std::next(parts.begin(), static_cast<std::ptrdiff_t>(at) + 1),
                 {Values{std::vector<T>(half, values.end())}, parts[at].bound});
    parts[at].bound = *std::prev(half);
    values.erase(half, values.end());
  }

  CopyOnWrite<std::vector<Part>> parts_{};  // none of them empty
};

}  // namespace tally::fake::detail
