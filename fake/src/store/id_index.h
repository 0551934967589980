#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "store/copy_on_write.h"
#include "store/cow_vector.h"
#include "store/record.h"

namespace tally::fake::detail {

/// Finds records by identifier in constant time. Copies share unchanged data.
///
/// This is extendible hashing: the entries of a bucket share a hash prefix. A full bucket is split by the
/// next bit, so no insertion rehashes all entries.
class IdIndex {
 public:
  /// The record's index in `records`.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view id, const CowVector<Record>& records) const;

  /// `id` must be new. An exception leaves the identifiers as they were.
  void add(std::string_view id, std::size_t number);

 private:
  struct Entry {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;
  };
  struct Bucket {
    unsigned bits = 0;  // length of the hash prefix that all entries share
    std::vector<Entry> entries{};
  };

  using Slots = std::vector<CopyOnWrite<Bucket>>;

  [[nodiscard]] std::size_t slotOf(std::uint32_t hash) const;
  [[nodiscard]] std::size_t slotsOf(const Bucket& bucket) const {
    return std::size_t{1} << (bits_ - bucket.bits);
  }
  [[nodiscard]] const Bucket& bucketOf(std::uint32_t hash) const { return *(*slots_)[slotOf(hash)]; }
  Bucket& change(std::size_t slot);
  void put(const CopyOnWrite<Bucket>& bucket, std::size_t first);
  void divide(std::size_t slot);

  unsigned bits_ = 0;           // length of the hash prefix that selects a slot
  CopyOnWrite<Slots> slots_{};  // a bucket with a shorter prefix fills several slots
};

}  // namespace tally::fake::detail
