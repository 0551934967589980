#pragma once

namespace tally::test {

/// How many times this program has called fsync() or fdatasync(). Requires that disk_syncs.cpp, which
/// replaces them, is compiled into the executable.
[[nodiscard]] int diskSyncs() noexcept;

/// During its lifetime, these functions fail.
class FailingDiskSyncs {
 public:
  FailingDiskSyncs() noexcept;
  FailingDiskSyncs(const FailingDiskSyncs&) = delete;
  FailingDiskSyncs& operator=(const FailingDiskSyncs&) = delete;
  ~FailingDiskSyncs();
};

}  // namespace tally::test
