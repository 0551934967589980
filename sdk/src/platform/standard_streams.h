#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace tally::detail {

/// For programs that open files or connections: occupies the descriptors of standard input, output and error
/// if the program was started without them, as by `>&-` in a shell. Otherwise the first file that it opens
/// would be its standard output. Reading and writing these streams fails as before, because each is opened in
/// the mode in which the program does not use it.
inline void reserveStandardStreams() noexcept {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (::fcntl(stream, F_GETFD) < 0) (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace tally::detail
