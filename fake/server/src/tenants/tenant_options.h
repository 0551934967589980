#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include <tally/fake/service.h>

#include "format/members.h"

namespace tally::fake::detail {

/// The maximum length of a request log.
inline constexpr std::int64_t longestRequestLog = 1'000'000;

/// A new account, and how its service differs from the defaults.
struct TenantOptions {
  AccountOptions account{};
  std::optional<bool> virtualClock{};
  std::optional<bool> limits{};
  std::optional<std::chrono::milliseconds> duration{};
  std::optional<std::chrono::milliseconds> lockWait{};
  std::optional<std::chrono::seconds> searchLag{};
  std::optional<std::int64_t> requestLog{};
  std::optional<bool> faultHeader{};
};

void members(Members& m, AccountOptions& options);

/// Throws BadInput. Leaves other members of `input` to the caller.
[[nodiscard]] TenantOptions readTenantOptions(JsonInput& input);

}  // namespace tally::fake::detail
