#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

namespace tally::fake::detail {

/// A part of something whose copies share it until one of them changes it. It counts its owners, and may be
/// changed only by one that has it alone.
template <class T>
struct SharedPart : boost::intrusive_ref_counter<SharedPart<T>> {
  T value{};
};

template <class T>
using PartOf = boost::intrusive_ptr<SharedPart<T>>;

/// What the part holds, to be changed. Where others have the part too, a copy takes its place first.
template <class T>
T& owned(PartOf<T>& part) {
  if (!part) part = new SharedPart<T>;
  if (part->use_count() > 1) part = new SharedPart<T>{*part};
  return part->value;
}

/// A list that grows at its end. A copy takes next to no time, and shares with its original what neither of
/// them changes afterwards.
template <class T>
class SharedVector {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const T& operator[](std::size_t index) const {
    return parts_[index / perPart]->value[index % perPart];
  }

  void push_back(T element) {
    if (size_ % perPart == 0) parts_.emplace_back();
    owned(parts_.back()).push_back(std::move(element));
    ++size_;
  }

  /// An element to be changed; no copy sees it.
  [[nodiscard]] T& change(std::size_t index) { return owned(parts_[index / perPart])[index % perPart]; }

 private:
  static constexpr std::size_t perPart = 256;

  std::vector<PartOf<std::vector<T>>> parts_{};
  std::size_t size_ = 0;
};

}  // namespace tally::fake::detail
