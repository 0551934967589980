#pragma once

namespace tally::detail {

/// For programs that have keys: the system writes no core file of this process, and other processes of the
/// same user can neither read its memory nor attach a debugger. A debugger that starts the program still can.
/// Has no effect on systems other than Linux.
void leaveNoCoreFile() noexcept;

}  // namespace tally::detail
