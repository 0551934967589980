#pragma once

#include <cstddef>

namespace tally::bench {

/// Counts what this thread does during its lifetime: callgrind its instructions, this its allocations by
/// `operator new`. At most one at a time.
class Counting {
 public:
  Counting() noexcept;
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;
  ~Counting();

  /// So far.
  [[nodiscard]] std::size_t allocations() const noexcept;
};

/// What this thread does during its lifetime is not counted: the part of a program that a path calls, but
/// does not consist of.
class Uncounted {
 public:
  Uncounted() noexcept;
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;
  ~Uncounted();

 private:
  bool pauses_;
};

}  // namespace tally::bench
