#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

#include <tally/fake/service.h>

namespace tally::fake::detail {

/// What differs from the API description at the recorded service: a scenario. Its first account stands for
/// the first of the recording in live mode, and for the first in the sandbox, and so on. Objects are not read
/// from it, but from the recording.
class Settings {
 public:
  Settings() = default;
  /// Throws BadInput, which names the place.
  explicit Settings(std::string_view scenario);

  /// Of the account with that number in its mode, from 1.
  [[nodiscard]] AccountOptions optionsOf(std::size_t number) const;
  [[nodiscard]] std::vector<LimitOverride> limitsOf(std::size_t number) const;

  /// How long a request waits for the lock of its object.
  [[nodiscard]] std::chrono::nanoseconds lockWait() const noexcept { return lockWait_; }

 private:
  struct AccountSettings {
    AccountOptions options{};
    std::vector<LimitOverride> limits{};
  };

  std::vector<AccountSettings> accounts_{};
  std::chrono::nanoseconds lockWait_ = ServiceOptions{}.lockWait;
};

}  // namespace tally::fake::detail
