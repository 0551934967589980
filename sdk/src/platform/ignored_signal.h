#pragma once

#include <csignal>

namespace tally::detail {

/// Whether the program was started with the signal ignored: as nohup(1) starts one that is to outlive its
/// terminal, or a shell one in the background.
inline bool isIgnored(int signal) {
  struct sigaction action{};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace tally::detail
