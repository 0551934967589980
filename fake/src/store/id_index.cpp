#include "store/id_index.h"

#include <functional>
#include <utility>

namespace tally::fake::detail {

namespace {

constexpr std::size_t mostPerBucket = 64;
constexpr unsigned hashBits = 32;

std::uint32_t hashOf(std::string_view id) {
  const std::uint64_t hash = std::hash<std::string_view>{}(id);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

std::size_t IdIndex::slotOf(std::uint32_t hash) const {
  return bits_ == 0 ? 0 : hash >> (hashBits - bits_);
}

std::optional<std::size_t> IdIndex::find(std::string_view id, const CowVector<Record>& records) const {
  if (slots_->empty()) return std::nullopt;
  const std::uint32_t hash = hashOf(id);
  for (const Entry& entry : bucketOf(hash).entries)
    if (entry.hash == hash && records[entry.number].id() == id) return entry.number;
  return std::nullopt;
}

/// Fills all slots of the bucket, from `first` on.
void IdIndex::put(const CopyOnWrite<Bucket>& bucket, std::size_t first) {
  Slots& slots = slots_.change();
  for (std::size_t i = 0; i < slotsOf(*bucket); ++i)
    slots[first + i] = bucket;
}

IdIndex::Bucket& IdIndex::change(std::size_t slot) {
  Slots& slots = slots_.change();
  const std::size_t own = slotsOf(*slots[slot]);
  if (slots[slot].owners() > own) put(CopyOnWrite<Bucket>{*slots[slot]}, slot / own * own);
  return slots[slot].change(own);
}

void IdIndex::divide(std::size_t slot) {
  const CopyOnWrite<Bucket> full = (*slots_)[slot];
  if (full->bits == bits_) {
    Slots doubled;
    doubled.reserve(2 * slots_->size());
    for (const CopyOnWrite<Bucket>& bucket : *slots_)
      doubled.insert(doubled.end(), 2, bucket);
    slots_.change().swap(doubled);
    ++bits_;
    slot *= 2;
  }
  const std::size_t first = slot / slotsOf(*full) * slotsOf(*full);
  const unsigned bits = full->bits + 1;
  Bucket halves[] = {{.bits = bits}, {.bits = bits}};
  for (const Entry& entry : full->entries)
    halves[entry.hash >> (hashBits - bits) & 1U].entries.push_back(entry);
  const std::size_t each = slotsOf(halves[0]);
  const CopyOnWrite<Bucket> lower{std::move(halves[0])};
  const CopyOnWrite<Bucket> upper{std::move(halves[1])};
  put(lower, first);
  put(upper, first + each);
}

void IdIndex::add(std::string_view id, std::size_t number) {
  const std::uint32_t hash = hashOf(id);
  if (slots_->empty()) slots_.change().emplace_back(Bucket{});
  while (bucketOf(hash).entries.size() >= mostPerBucket && bucketOf(hash).bits < hashBits)
    divide(slotOf(hash));
  change(slotOf(hash)).entries.push_back({hash, static_cast<std::uint32_t>(number)});
}

}  // namespace tally::fake::detail
