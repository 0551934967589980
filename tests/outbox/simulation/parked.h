#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "memory/memory_database.h"
#include "memory/memory_store.h"

namespace tally::test {

/// Releases the parked reports. A report is parked if several workers have died while they were sending it.
inline void releaseParked(const detail::MemoryDatabase& database, detail::MemoryStore& store) {
  std::vector<std::uint64_t> parked;
  database.look([&](const detail::MemoryState& state) {
    for (const auto& [id, report] : state.reports())
      if (report.parked) parked.push_back(id);
  });
  for (const std::uint64_t report : parked)
    store.ask("release", report, {});
}

/// Releases the parked reports, and returns whether every report is decided.
inline bool isDecided(const detail::MemoryDatabase& database, detail::MemoryStore& store) {
  releaseParked(database, store);
  bool isAll = true;
  database.look([&](const detail::MemoryState& state) {
    isAll =
        std::ranges::all_of(state.reports(), [](const auto& each) { return each.second.end.has_value(); });
  });
  return isAll;
}

}  // namespace tally::test
