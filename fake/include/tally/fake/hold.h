#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <tally/clock.h>

namespace tally::fake {

namespace detail {
class Engine;
}

/// What a Hold holds: the lock of an object, or units of concurrency limits.
struct HeldThing {
  std::string account{};  ///< The account of the object, or of the concurrency limits.
  bool livemode = false;
  std::string object{};            ///< Empty for units.
  std::string operation{};         ///< The units' operation; empty if only the global limit counts them.
  std::int64_t units = 0;          ///< 0 for a lock.
  std::optional<Instant> until{};  ///< When the lock ends; empty if only a release ends it.
};

/// Prints `the lock of pr_1 of acct_1 in the sandbox` or `3 units of payouts.create of acct_1 in live mode`.
std::ostream& operator<<(std::ostream& out, const HeldThing& value);

/// Something that a test holds in a Service: the lock of an object, or units of concurrency limits. Released
/// on destruction. Move-only; may outlive the Service. Not thread-safe.
class [[nodiscard]] Hold {
 public:
  Hold() = default;
  Hold(std::weak_ptr<detail::Engine> engine, std::uint64_t number)
      : engine_(std::move(engine)), number_(number) {}
  Hold(Hold&& other) noexcept : engine_(std::move(other.engine_)), number_(other.number_) {}
  Hold& operator=(Hold&& other) noexcept {
    if (this != &other) {
      release();
      engine_ = std::move(other.engine_);
      number_ = other.number_;
    }
    return *this;
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  ~Hold() { release(); }

  /// Releases immediately what it holds. Further calls do nothing.
  void release() noexcept;

  /// What it still holds. Empty once it has been released, its lock has ended, its account has been removed,
  /// or the service has been restored or destroyed.
  [[nodiscard]] std::optional<HeldThing> held() const;

 private:
  std::weak_ptr<detail::Engine> engine_{};
  std::uint64_t number_ = 0;
};

}  // namespace tally::fake
