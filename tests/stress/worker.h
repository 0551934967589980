#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "claim.h"
#include "random_source.h"
#include "sending.h"
#include "stop_tokens.h"
#include "world.h"

namespace tally::stress {

/// One application thread. It makes calls of all kinds, and records what they return.
class Worker {
 public:
  /// `number` is the number of its first change. The next million numbers are reserved for it.
  Worker(const World& world, StopTokens& stopTokens, std::uint64_t number, std::uint64_t seed)
      : world_(world), stopTokens_(stopTokens), random_(seed), number_(number), call_(number) {}

  void work(int calls);

  [[nodiscard]] const std::vector<Claim>& claims() const noexcept { return claims_; }
  /// What its single calls returned.
  [[nodiscard]] const std::vector<Sending>& sendings() const noexcept { return sendings_; }
  /// Impossible results, in words.
  [[nodiscard]] const std::vector<std::string>& problems() const noexcept { return problems_; }

 private:
  void call();
  void report();
  void learn(const Client& client, const Id<PaymentRecord>& id, const test::AnyReport& report, Claim& claim);
  void note(const ReportCheck<PaymentRecord>& told, const std::string& what);
  template <class T>
  void note(const Result<T>& result, const std::vector<Attempt>& attempts, const std::string& what);
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
  StopTokens& stopTokens_;
  RandomSource random_;
  std::uint64_t number_;
  std::uint64_t call_;  // the last one
  std::vector<Claim> claims_{};
  std::vector<Sending> sendings_{};
  std::vector<std::string> problems_{};
};

}  // namespace tally::stress
