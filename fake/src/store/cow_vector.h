#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "store/copy_on_write.h"

namespace tally::fake::detail {

/// An append-only vector with copy-on-write elements. Copying takes constant time; copies share unchanged
/// data.
template <class T>
class CowVector {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const T& operator[](std::size_t index) const {
    return (*(*parts_)[index / perPart])[index % perPart];
  }

  /// An exception leaves the elements as they were.
  void push_back(T element) {
    std::vector<Part>& parts = parts_.change();
    if (parts.size() == size_ / perPart) parts.emplace_back();
    parts.back().change().push_back(std::move(element));
    ++size_;
  }

  /// Right after push_back().
  void pop_back() {
    parts_.change().back().change().pop_back();
    --size_;
  }

  /// Mutable access to an element. Copies are not affected.
  [[nodiscard]] T& change(std::size_t index) {
    return parts_.change()[index / perPart].change()[index % perPart];
  }

  /// The indexes at which this differs from `before`, an earlier copy of it; nothing if there are more than
  /// `most`. The time grows with the number of differences, and hardly with the size.
  [[nodiscard]] std::optional<std::vector<std::size_t>> changesSince(const CowVector& before,
                                                                     std::size_t most) const {
    std::vector<std::size_t> changes;
    for (std::size_t part = 0; part < parts_->size(); ++part) {
      if (part < before.parts_->size() && (*parts_)[part].isSame((*before.parts_)[part])) continue;
      const std::size_t first = part * perPart;
      for (std::size_t i = first; i < first + (*parts_)[part]->size(); ++i)
        if (i >= before.size() || !(*this)[i].isSame(before[i])) changes.push_back(i);
      if (changes.size() > most) return std::nullopt;
    }
    return changes;
  }

 private:
  using Part = CopyOnWrite<std::vector<T>>;
  static constexpr std::size_t perPart = 256;

  CopyOnWrite<std::vector<Part>> parts_{};
  std::size_t size_ = 0;
};

}  // namespace tally::fake::detail
