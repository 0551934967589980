#pragma once

// Read before every source when mutants are built: it chooses at run time which of the mutants that a program
// contains is on.
//
// TALLY_MUTANT is its number. TALLY_MUTANTS_REACHED is a file with one byte for each number; a place that
// runs sets its byte.

#include <cstdlib>
#include <type_traits>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tally_mutants {

struct Switch {
  long chosen = 0;
  char* reached = nullptr;
};

/// The bytes are shared with the file, so a process that is killed loses none.
inline char* mapped(const char* path) {
  const int file = ::open(path, O_RDWR | O_CLOEXEC);
  struct stat size{};
  if (file < 0 || ::fstat(file, &size) != 0) return nullptr;
  void* const bytes =
      ::mmap(nullptr, static_cast<std::size_t>(size.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return bytes == MAP_FAILED ? nullptr : static_cast<char*>(bytes);
}

inline Switch read() {
  const char* const number = std::getenv("TALLY_MUTANT");
  const char* const path = std::getenv("TALLY_MUTANTS_REACHED");
  return {number == nullptr ? 0 : std::strtol(number, nullptr, 10), path == nullptr ? nullptr : mapped(path)};
}

/// Until it is initialized, all mutants are off: their numbers begin at 1.
inline const Switch chosen = read();

/// Whether a mutant is on. What the compiler evaluates stays as it is.
constexpr bool on(long number) {
  if (std::is_constant_evaluated()) return false;
  if (chosen.reached != nullptr) chosen.reached[number] = 1;
  return chosen.chosen == number;
}

/// The same. Not for versions of different types, which would be converted to one of them even while the
/// mutant is off.
template <typename New, typename Old>
  requires std::is_same_v<std::remove_cvref_t<New>, std::remove_cvref_t<Old>>
constexpr bool onBetween(long number) {
  return on(number);
}

}  // namespace tally_mutants
