#pragma once

#include <cstdint>
#include <memory>
#include <utility>

namespace tally::fake {

namespace detail {
class Engine;
}

/// Something that a test holds in a Service: an object's lock, or places for requests in progress. Released
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

  /// Releases it now. Further calls do nothing.
  void release() noexcept;

 private:
  std::weak_ptr<detail::Engine> engine_{};
  std::uint64_t number_ = 0;
};

}  // namespace tally::fake
