#pragma once

#include <tally/api_key.h>

namespace tally::detail {

/// Whether the key shows that it selects the sandbox. Keys that show no mode, such as OAuth access tokens, do
/// not.
[[nodiscard]] inline bool isSandboxKey(const ApiKey& key) noexcept {
  return key.reveal().starts_with("sk_test_");
}

}  // namespace tally::detail
