// Performs the operations of a path for counts.py: `tally_counts PATH COUNT` performs COUNT of them to warm
// up, then as many again, and prints how many allocations those made. Run by callgrind with
// --collect-atstart=no, only the instructions of the latter are collected. Without arguments, prints the
// compiler and the paths.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bench/counts/counting.h"
#include "bench/counts/paths.h"

namespace {

using namespace tally;

struct Path {
  std::string_view name{};
  bench::Perform (*prepare)() = nullptr;
};

constexpr Path paths[] = {
    {"retrieve", bench::retrieve},
    {"report", bench::report},
    {"list_page", bench::listPage},
    {"search_page", bench::searchPage},
    {"retry", bench::retry},
    {"async_call", bench::asyncCall},
    {"coroutine", bench::coroutine},
    {"bulk_row", bench::bulkRow},
    {"bulk_row_journal", bench::bulkRowWithJournal},
    {"simulated_call", bench::simulatedCall},
    {"fake_retrieve", bench::fakeRetrieve},
    {"fake_report", bench::fakeReport},
    {"served_request", bench::servedRequest},
};

void list() {
  std::cout << "g++ " << __VERSION__ << '\n';
  for (const Path& path : paths)
    std::cout << path.name << '\n';
}

std::size_t allocations(const bench::Perform& perform, std::size_t count) {
  perform(count);
  const bench::Counting counting;
  perform(count);
  return counting.allocations();
}

void count(std::string_view name, std::size_t count) {
  const auto* const path = std::ranges::find(paths, name, &Path::name);
  if (path == std::end(paths)) throw std::runtime_error{"no path is named " + std::string{name}};
  std::cout << allocations(path->prepare(), count) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 1) {
      list();
    } else if (argc == 3) {
      count(argv[1], std::stoul(argv[2]));
    } else {
      throw std::runtime_error{"usage: tally_counts [PATH COUNT]"};
    }
    return EXIT_SUCCESS;
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return EXIT_FAILURE;
  }
}
