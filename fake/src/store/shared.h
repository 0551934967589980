#pragma once

#include <cstddef>
#include <utility>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

namespace tally::fake::detail {

/// A value that copies share until one of them changes it. It counts its owners, and may be changed only by
/// one that has it alone; so copies may be used by different threads.
template <class T>
class Shared {
 public:
  Shared() = default;  // of an empty value
  explicit Shared(T value) : held_(new Held{std::move(value)}) {}

  [[nodiscard]] const T& operator*() const noexcept { return held_ ? held_->value : empty; }
  [[nodiscard]] const T* operator->() const noexcept { return &**this; }

  /// The value, to be changed. Where there are more owners than `own`, a copy takes its place first.
  [[nodiscard]] T& change(std::size_t own = 1) {
    if (!held_) held_ = new Held;
    if (held_->use_count() > own) held_ = new Held{*held_};
    return held_->value;
  }

  [[nodiscard]] std::size_t owners() const noexcept { return held_ ? held_->use_count() : 0; }

  /// Whether the two share one value.
  [[nodiscard]] bool isSame(const Shared& other) const noexcept { return held_ == other.held_; }

 private:
  struct Held : boost::intrusive_ref_counter<Held> {
    Held() = default;
    explicit Held(T made) : value(std::move(made)) {}

    T value{};
  };

  inline static const T empty{};

  boost::intrusive_ptr<Held> held_{};
};

}  // namespace tally::fake::detail
