#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

#include <malloc.h>

namespace tally::test {

/// The most that the memory of this process grows while this object lives. Not available if the system does
/// not report it, and with sanitizers, which keep released memory.
class MemoryGrowth {
 public:
  MemoryGrowth() {
    malloc_trim(0);
    std::ofstream reset{"/proc/self/clear_refs"};
    reset << "5" << std::flush;  // forgets the earlier peak
    // An emulator translates the program into memory of the same process.
    isKnown_ = isKnown_ && reset.good() && std::getenv("TALLY_TEST_EMULATED") == nullptr;
    before_ = kibibytes("VmRSS:");
  }

  /// In bytes.
  [[nodiscard]] std::optional<std::size_t> peak() const {
    const std::size_t most = kibibytes("VmHWM:");
    if (!isKnown_ || before_ == 0 || most == 0) return std::nullopt;
    return (std::max(most, before_) - before_) * 1'024;
  }

 private:
  static std::size_t kibibytes(const std::string& name) {
    std::ifstream status{"/proc/self/status"};
    std::string word;
    std::size_t value = 0;
    while (status >> word)
      if (word == name) status >> value;
    return value;
  }

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  bool isKnown_ = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  bool isKnown_ = false;
#else
  bool isKnown_ = true;
#endif
#else
  bool isKnown_ = true;
#endif
  std::size_t before_ = 0;
};

}  // namespace tally::test
