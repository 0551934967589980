#pragma once

#include <cstddef>
#include <utility>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

namespace tally::fake::detail {

/// A copy-on-write value. It counts its owners, and only a sole owner modifies it, so different threads may
/// use different copies.
template <class T>
class CopyOnWrite {
 public:
  CopyOnWrite() = default;  // an empty value
  explicit CopyOnWrite(T value) : held_(new Hold{std::move(value)}) {}

  [[nodiscard]] const T& operator*() const noexcept { return held_ ? held_->value : empty; }
  [[nodiscard]] const T* operator->() const noexcept { return &**this; }

  /// Mutable access. Copies the value first if it has more than `own` owners.
  [[nodiscard]] T& change(std::size_t own = 1) {
    if (!held_) held_ = new Hold;
    if (held_->use_count() > own) held_ = new Hold{*held_};
    return held_->value;
  }

  [[nodiscard]] std::size_t owners() const noexcept { return held_ ? held_->use_count() : 0; }

  /// Whether the two share a value.
  [[nodiscard]] bool isSame(const CopyOnWrite& other) const noexcept { return held_ == other.held_; }

 private:
  struct Hold : boost::intrusive_ref_counter<Hold> {
    Hold() = default;
    explicit Hold(T made) : value(std::move(made)) {}

    T value{};
  };

  inline static const T empty{};

  boost::intrusive_ptr<Hold> held_{};
};

}  // namespace tally::fake::detail
