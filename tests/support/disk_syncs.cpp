#include "support/disk_syncs.h"

#include <atomic>
#include <cerrno>

#include <dlfcn.h>

namespace tally::test {

namespace {

std::atomic<int> syncs = 0;
std::atomic<bool> areFailing = false;

int syncBy(const char* function, int file) noexcept {
  ++syncs;
  if (areFailing) {
    errno = EIO;
    return -1;
  }
  return reinterpret_cast<int (*)(int)>(dlsym(RTLD_NEXT, function))(file);
}

}  // namespace

int diskSyncs() noexcept {
  return syncs;
}

FailingDiskSyncs::FailingDiskSyncs() noexcept {
  areFailing = true;
}

FailingDiskSyncs::~FailingDiskSyncs() {
  areFailing = false;
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
