#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace tally::detail {

/// Locks a file that exists only for that, until this is destroyed. The lock is that of an open file (flock):
/// a process loses it neither by opening and closing the file, as POSIX record locks do, nor to a second lock
/// of its own. A forked child keeps it locked.
class LockedFile {
 public:
  /// The file stays, since another process may have opened it just before it would be removed. A new one gets
  /// the owner and permissions of `guarded`, if that exists, so that all users of `guarded` can lock it.
  /// Throws OpenFailed, and std::system_error if it can't be locked, with std::errc::operation_would_block if
  /// another has locked it.
  LockedFile(const std::string& name, const std::filesystem::path& guarded);
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  ~LockedFile();

  struct OpenFailed : std::system_error {
    using std::system_error::system_error;
  };

 private:
  int file_;
};

}  // namespace tally::detail
