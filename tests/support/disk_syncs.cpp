#include "support/disk_syncs.h"

#include <atomic>

#include <dlfcn.h>

namespace tally::test {

namespace {

std::atomic<int> syncs = 0;

int syncBy(const char* function, int file) noexcept {
  ++syncs;
  return reinterpret_cast<int (*)(int)>(dlsym(RTLD_NEXT, function))(file);
}

}  // namespace

int diskSyncs() noexcept {
  return syncs;
}

}  // namespace tally::test

extern "C" {

int fsync(int file) {
  return tally::test::syncBy("fsync", file);
}

int fdatasync(int file) {
  return tally::test::syncBy("fdatasync", file);
}
}
