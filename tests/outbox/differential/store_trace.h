#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "outbox/store_contract.h"
#include "stress/random_source.h"

namespace tally::test {

/// Random operations on a store, and what it returned. The same seed gives the same text for every kind of
/// store: reports and requests are numbered in the order in which they appear, and what the contract leaves
/// open is left out.
class StoreTrace {
 public:
  /// `tested` must outlive this. Without `rechecks`, heads that are rechecks are left out.
  StoreTrace(StoreUnderTest& tested, std::uint64_t seed, bool rechecks);

  [[nodiscard]] std::string of(int steps);

 private:
  struct Held {
    std::uint64_t report = 0;
    std::string object{};
  };
  using Listed = std::map<std::string, std::string>;

  [[nodiscard]] detail::OutboxStore& store() { return tested_.store(); }
  void step();

  void enqueue();
  void read();
  void decide();
  void putOffParkOrIntend();
  void ask();
  void carryOut();
  void takeOver();
  void restart();
  void removeDecided();
  void manage();
  void list();

  /// Writes what the store refuses.
  template <class Work>
  void attempt(Work work);
  void write(const detail::Batch& batch);
  void take(const std::vector<detail::Head>& heads);
  [[nodiscard]] std::string described(const detail::Head& head) const;
  void forgetHeld();
  /// Removes it from what this worker holds, unless it `stays`.
  [[nodiscard]] Held pickHeld(bool stays);

  [[nodiscard]] std::string anyObject();
  void appears(std::uint64_t report);
  [[nodiscard]] std::string nameOf(std::uint64_t report) const;
  [[nodiscard]] std::string requestName(std::uint64_t request) const;
  /// With the names of reports, and without other numbers.
  [[nodiscard]] std::string normalized(std::string_view text) const;

  StoreUnderTest& tested_;
  stress::RandomSource random_;
  const bool rechecks_;
  std::unique_ptr<detail::WorkerStore> worker_{};
  std::unique_ptr<detail::DomainStore> domain_{};
  std::ostringstream out_{};

  std::vector<std::uint64_t> reports_{};  // in the order of their appearance
  std::map<std::size_t, Held> held_{};    // by their order
  std::vector<std::uint64_t> requests_{};
  std::vector<detail::OpenRequest> open_{};  // as last read
};

}  // namespace tally::test
