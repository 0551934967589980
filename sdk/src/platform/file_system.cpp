#include "platform/file_system.h"

#include <algorithm>
#include <array>

#ifdef __linux__
#include <sys/vfs.h>
#endif

namespace tally::detail {

bool isOnNetwork(std::uint64_t fileSystem) noexcept {
  // NFS, SMB, CIFS, SMB2, NCP, AFS, Coda, Ceph, 9P, GFS2 and OCFS2.
  constexpr std::array<std::uint64_t, 11> types{0x6969,     0x517B,     0xFF534D42, 0xFE534D42,
                                                0x564C,     0x5346414F, 0x73757245, 0x00C36400,
                                                0x01021997, 0x01161970, 0x7461636F};
  return std::ranges::find(types, fileSystem) != types.end();
}

bool isOnNetwork([[maybe_unused]] const std::filesystem::path& file) noexcept {
#ifdef __linux__
  constexpr std::uint64_t bits = 0xFFFF'FFFF;  // the type is a signed number
  struct statfs status{};
  if (::statfs(file.c_str(), &status) != 0 && ::statfs(file.parent_path().c_str(), &status) != 0)
    return false;
  return isOnNetwork(static_cast<std::uint64_t>(status.f_type) & bits);
#else
  return false;
#endif
}

}  // namespace tally::detail
