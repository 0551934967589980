#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "store/record.h"
#include "store/shared.h"
#include "store/shared_vector.h"

namespace tally::fake::detail {

/// Finds records by their identifiers in constant time. Copies share what neither of them changes.
///
/// A bucket has all entries whose hashes begin with the same bits. One that is full is divided by its next
/// bit, so that no insertion takes long, however many entries there are.
class IdIndex {
 public:
  /// The number of the record with this identifier.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view id,
                                                const SharedVector<Record>& records) const;

  /// There must be none of that identifier.
  void add(std::string_view id, std::size_t number);

 private:
  struct Entry {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;
  };
  struct Bucket {
    unsigned bits = 0;  // of the hash that all entries have in common
    std::vector<Entry> entries{};
  };

  using Slots = std::vector<Shared<Bucket>>;

  [[nodiscard]] std::size_t slotOf(std::uint32_t hash) const;
  [[nodiscard]] std::size_t slotsOf(const Bucket& bucket) const {
    return std::size_t{1} << (bits_ - bucket.bits);
  }
  [[nodiscard]] const Bucket& bucketOf(std::uint32_t hash) const { return *(*slots_)[slotOf(hash)]; }
  Bucket& change(std::size_t slot);
  void put(const Shared<Bucket>& bucket, std::size_t first);
  void divide(std::size_t slot);

  unsigned bits_ = 0;      // of the hash that choose a slot
  Shared<Slots> slots_{};  // several lead to a bucket that has fewer bits
};

}  // namespace tally::fake::detail
