// `stress_tests --seed=N --rounds=M` plays M rounds, starting with seed N.

#include <charconv>
#include <iostream>
#include <string_view>

#include <gtest/gtest.h>

#include "settings.h"

namespace tally::stress {

namespace {

Settings chosen;

template <class Number>
bool take(std::string_view argument, std::string_view name, Number& into) {
  if (!argument.starts_with(name)) return false;
  argument.remove_prefix(name.size());
  const auto [end, failed] = std::from_chars(argument.data(), argument.data() + argument.size(), into);
  return failed == std::errc{} && end == argument.data() + argument.size();
}

bool read(std::string_view argument) {
  return take(argument, "--seed=", chosen.seed) || take(argument, "--rounds=", chosen.rounds);
}

}  // namespace

const Settings& settings() {
  return chosen;
}

}  // namespace tally::stress

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i)
    if (!tally::stress::read(argv[i])) {
      std::cerr << "unknown argument " << argv[i] << "; expected --seed=N or --rounds=N\n";
      return 1;
    }
  return RUN_ALL_TESTS();
}
