#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "store/shared.h"

namespace tally::fake::detail {

/// A list that grows at its end. A copy takes no time, and shares with its original what neither of them
/// changes afterwards.
template <class T>
class SharedVector {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const T& operator[](std::size_t index) const {
    return (*(*parts_)[index / perPart])[index % perPart];
  }

  void push_back(T element) {
    std::vector<Part>& parts = parts_.change();
    if (size_ % perPart == 0) parts.emplace_back();
    parts.back().change().push_back(std::move(element));
    ++size_;
  }

  /// An element to be changed; no copy sees it.
  [[nodiscard]] T& change(std::size_t index) {
    return parts_.change()[index / perPart].change()[index % perPart];
  }

  /// Where there is something else than in `before`, of which this one is a later copy; nothing for more than
  /// `most` places. Takes time that grows with them, and hardly with the length.
  [[nodiscard]] std::optional<std::vector<std::size_t>> changesSince(const SharedVector& before,
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
  using Part = Shared<std::vector<T>>;
  static constexpr std::size_t perPart = 256;

  Shared<std::vector<Part>> parts_{};
  std::size_t size_ = 0;
};

}  // namespace tally::fake::detail
