#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/service.h>

#include "format/json_input.h"

namespace tally::fake::detail {

/// The maximum number of records created at once, also by a whole scenario.
inline constexpr std::int64_t mostRecords = 1'000'000;

/// Says when to stop early.
using Stopped = std::function<bool()>;

inline bool never() {
  return false;
}

/// Objects to insert.
struct Insertion {
  std::string resource{};
  std::int64_t count = 1;
  std::string fields = "{}";
  std::string state{};
};

/// Throws BadInput. Leaves other members of `input` to the caller.
[[nodiscard]] Insertion readInsertion(JsonInput& input);

/// The number of records to create at once. Throws BadInput.
[[nodiscard]] std::int64_t readCount(JsonInput& input);

/// Inserts the objects in parts and returns their identifiers. Stops early once `stopped` returns true.
std::vector<std::string> insert(Service& service, std::string_view key, const Insertion& insertion,
                                const Stopped& stopped = never);

/// Inserts `count` objects for each resource that has states. Stops early once `stopped` returns true.
void insertRecords(Service& service, std::string_view key, std::size_t count, const Stopped& stopped = never);

}  // namespace tally::fake::detail
