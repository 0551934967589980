// malloc() and related functions, which this program defines itself, so that all libraries call them.

#include "failing_calls/support/live_blocks.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <execinfo.h>

#include "failing_calls/support/injection.h"

// NOLINTBEGIN(cppcoreguidelines-no-malloc): malloc() itself

extern "C" {
// The functions of the system's library behind these names.
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);
}

namespace tally::test {

namespace {

constexpr std::size_t capacity = std::size_t{1} << 18U;
constexpr std::size_t mostCallers = std::size_t{1} << 16U;

struct Slot {
  const void* address = nullptr;
  std::size_t size = 0;
  std::size_t serial = 0;
};

/// A hash table with linear probing: it needs no memory from malloc().
class Table {
 public:
  /// Returns the serial number of the block.
  std::size_t add(const void* address, std::size_t size) noexcept {
    const Locked locked{*this};
    if (count_ >= capacity / 2) return serial_;
    std::size_t at = homeOf(address);
    while (slots_[at].address != nullptr)
      at = next(at);
    slots_[at] = {.address = address, .size = size, .serial = ++serial_};
    ++count_;
    return serial_;
  }
  void remove(const void* address) noexcept {
    const Locked locked{*this};
    std::size_t at = homeOf(address);
    while (slots_[at].address != address) {
      if (slots_[at].address == nullptr) return;
      at = next(at);
    }
    --count_;
    close(at);
  }
  [[nodiscard]] std::size_t count() noexcept {
    const Locked locked{*this};
    return count_;
  }
  /// The one that was added last.
  [[nodiscard]] Slot last() noexcept {
    const Locked locked{*this};
    Slot found;
    for (const Slot& slot : slots_)
      if (slot.serial > found.serial) found = slot;
    return found;
  }

 private:
  class Locked {
   public:
    explicit Locked(Table& table) noexcept : table_(table) {
      while (table_.lock_.test_and_set(std::memory_order_acquire)) {
      }
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;
    ~Locked() { table_.lock_.clear(std::memory_order_release); }

   private:
    Table& table_;
  };

  static std::size_t homeOf(const void* address) noexcept {
    return (reinterpret_cast<std::uintptr_t>(address) * 0x9E37'79B9'7F4A'7C15U) >> 46U;
  }
  static std::size_t next(std::size_t at) noexcept { return (at + 1) % capacity; }

  /// Moves up what would otherwise no longer be found.
  void close(std::size_t gap) noexcept {
    for (std::size_t at = next(gap); slots_[at].address != nullptr; at = next(at)) {
      const std::size_t home = homeOf(slots_[at].address);
      if ((at - home) % capacity < (at - gap) % capacity) continue;
      slots_[gap] = slots_[at];
      gap = at;
    }
    slots_[gap] = {};
  }

  std::array<Slot, capacity> slots_{};
  std::size_t count_ = 0;
  std::size_t serial_ = 0;
  std::atomic_flag lock_{};
};

constinit Table table;
constinit std::atomic<bool> isCounting = false;
constinit bool isNoting = false;
constinit std::array<Callers, mostCallers> callers{};  // by serial number

void* added(void* memory, std::size_t size) noexcept {
  if (memory == nullptr || !isCounting || Exempt::isInForce()) return memory;
  const std::size_t serial = table.add(memory, size);
  if (!isNoting) return memory;
  const Exempt exempt;
  Callers& noted = callers[serial % mostCallers];
  noted.count = ::backtrace(noted.frames.data(), Callers::most);
  return memory;
}

void removed(const void* memory) noexcept {
  if (memory != nullptr && isCounting) table.remove(memory);
}

void* aligned(std::size_t alignment, std::size_t size) noexcept {
  return fails(Call::memory) ? nullptr : added(__libc_memalign(alignment, size), size);
}

}  // namespace

void live_blocks::start() noexcept {
  isCounting = true;
}

void live_blocks::noteCallers() noexcept {
  isNoting = true;
}

std::size_t live_blocks::count() noexcept {
  return table.count();
}

LiveBlock live_blocks::last() noexcept {
  const Slot slot = table.last();
  return {.size = slot.size, .callers = callers[slot.serial % mostCallers]};
}

}  // namespace tally::test

extern "C" {

void* malloc(std::size_t size) noexcept {
  using namespace tally::test;
  return fails(Call::memory) ? nullptr : added(__libc_malloc(size), size);
}

void* calloc(std::size_t count, std::size_t size) noexcept {
  using namespace tally::test;
  return fails(Call::memory) ? nullptr : added(__libc_calloc(count, size), count * size);
}

void* realloc(void* memory, std::size_t size) noexcept {
  using namespace tally::test;
  if (fails(Call::memory)) return nullptr;
  removed(memory);
  void* const moved = __libc_realloc(memory, size);
  return added(moved == nullptr && size != 0 ? memory : moved, size) == nullptr ? nullptr : moved;
}

void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return tally::test::aligned(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return tally::test::aligned(alignment, size);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  const int before = errno;
  void* const found = tally::test::aligned(alignment, size);
  errno = before;
  if (found == nullptr) return ENOMEM;
  *memory = found;
  return 0;
}

void free(void* memory) noexcept {
  tally::test::removed(memory);
  __libc_free(memory);
}

}  // extern "C"

// NOLINTEND(cppcoreguidelines-no-malloc)
