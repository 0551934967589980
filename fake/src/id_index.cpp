#include "id_index.h"

#include <functional>

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

std::optional<std::size_t> IdIndex::find(std::string_view id, const SharedVector<Record>& records) const {
  if (slots_.empty()) return std::nullopt;
  const std::uint32_t hash = hashOf(id);
  for (const Entry& entry : slots_[slotOf(hash)]->value.entries)
    if (entry.hash == hash && records[entry.number].id() == id) return entry.number;
  return std::nullopt;
}

/// Sets all slots that lead to the bucket; `first` is the first of them.
void IdIndex::put(const PartOf<Bucket>& bucket, std::size_t first) {
  for (std::size_t i = 0; i < slotsOf(bucket->value); ++i)
    slots_[first + i] = bucket;
}

IdIndex::Bucket& IdIndex::change(std::size_t slot) {
  const PartOf<Bucket> bucket = slots_[slot];
  const std::size_t own = slotsOf(bucket->value);
  if (bucket->use_count() == own + 1) return bucket->value;  // one more for the name that it has here
  put(new SharedPart<Bucket>{*bucket}, slot / own * own);
  return slots_[slot]->value;
}

void IdIndex::divide(std::size_t slot) {
  const PartOf<Bucket> full = slots_[slot];
  if (full->value.bits == bits_) {
    std::vector<PartOf<Bucket>> doubled;
    doubled.reserve(2 * slots_.size());
    for (const PartOf<Bucket>& bucket : slots_)
      doubled.insert(doubled.end(), 2, bucket);
    slots_.swap(doubled);
    ++bits_;
    slot *= 2;
  }
  const std::size_t first = slot / slotsOf(full->value) * slotsOf(full->value);
  const PartOf<Bucket> halves[] = {new SharedPart<Bucket>, new SharedPart<Bucket>};
  const unsigned bits = full->value.bits + 1;
  for (const PartOf<Bucket>& half : halves)
    half->value.bits = bits;
  for (const Entry& entry : full->value.entries)
    halves[entry.hash >> (hashBits - bits) & 1U]->value.entries.push_back(entry);
  put(halves[0], first);
  put(halves[1], first + slotsOf(halves[0]->value));
}

void IdIndex::add(std::string_view id, std::size_t number) {
  const std::uint32_t hash = hashOf(id);
  if (slots_.empty()) slots_.emplace_back(new SharedPart<Bucket>);
  while (slots_[slotOf(hash)]->value.entries.size() >= mostPerBucket &&
         slots_[slotOf(hash)]->value.bits < hashBits)
    divide(slotOf(hash));
  change(slotOf(hash)).entries.push_back({hash, static_cast<std::uint32_t>(number)});
}

}  // namespace tally::fake::detail
