#pragma once

#include <cstddef>
#include <vector>

#include "record.h"
#include "shared_vector.h"

namespace tally::fake::detail {

/// Positions in the order of lists, the newest first. Copies share what neither of them changes.
class ListOrder {
 public:
  /// A place in the order. Holds until something is inserted.
  class Place {
   public:
    [[nodiscard]] Position operator*() const { return order_->parts_[part_]->value[count_ - 1]; }
    void toOlder();
    void toNewer();
    bool operator==(const Place&) const = default;

   private:
    friend class ListOrder;
    Place(const ListOrder& order, std::size_t part, std::size_t count);

    const ListOrder* order_;
    std::size_t part_;
    std::size_t count_;  // of the part's positions that are not newer
  };

  void insert(Position position);

  [[nodiscard]] Place newest() const;
  /// Behind the oldest.
  [[nodiscard]] Place end() const { return {*this, 0, 0}; }
  /// Of one that is in the order.
  [[nodiscard]] Place at(Position position) const;
  /// Of the newest one that is older.
  [[nodiscard]] Place behind(Position position) const;

 private:
  /// The oldest first, so that new ones stand at the end.
  using Part = std::vector<Position>;

  /// The first part that has positions from this one on.
  [[nodiscard]] std::size_t partFor(Position position) const;

  std::vector<PartOf<Part>> parts_{};  // none of them empty
};

}  // namespace tally::fake::detail
