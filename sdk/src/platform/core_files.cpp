#include "platform/core_files.h"

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace tally::detail {

/// RLIMIT_CORE would not suffice: it does not apply to a program that the system pipes core files to.
void leaveNoCoreFile() noexcept {
#ifdef __linux__
  (void)::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

}  // namespace tally::detail
