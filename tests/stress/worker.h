#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "claim.h"
#include "dice.h"
#include "sending.h"
#include "stops.h"
#include "world.h"

namespace tally::stress {

/// One thread of an application: it makes calls of all kinds, and notes what it is told.
class Worker {
 public:
  /// `number` is that of its first change; nobody else uses the million from there.
  Worker(const World& world, Stops& stops, std::uint64_t number, std::uint64_t seed)
      : world_(world), stops_(stops), dice_(seed), number_(number), call_(number) {}

  void work(int calls);

  [[nodiscard]] const std::vector<Claim>& claims() const noexcept { return claims_; }
  /// What it was told of its single calls.
  [[nodiscard]] const std::vector<Sending>& sendings() const noexcept { return sendings_; }
  /// What it was told that can't be so, in words.
  [[nodiscard]] const std::vector<std::string>& problems() const noexcept { return problems_; }

 private:
  void call();
  void report();
  void learn(const Client& client, const Id<PaymentRecord>& id, const test::AnyReport& report, Claim& claim);
  void note(const ReportCheck<PaymentRecord>& told, const std::string& what);
  template <class T>
  void note(const Result<T>& result, const std::vector<Attempt>& trail, const std::string& what);
  void createIntent();
  void retrieve();
  void list();
  void search();
  void walk(const Shop& shop, Pager<PaymentRecord> pager);
  void sendWhatIsWrong();

  [[nodiscard]] test::AnyReport anyReport();
  [[nodiscard]] MetadataEdit numbered();
  [[nodiscard]] RequestOptions anyOptions();
  void check(bool holds, const std::string& problem) {
    if (!holds) problems_.push_back(problem);
  }

  const World& world_;
  Stops& stops_;
  Dice dice_;
  std::uint64_t number_;
  std::uint64_t call_;  // the last one
  std::vector<Claim> claims_{};
  std::vector<Sending> sendings_{};
  std::vector<std::string> problems_{};
};

}  // namespace tally::stress
