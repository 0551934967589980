#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <tally/fake/virtual_clock.h>

#include "memory/memory_store.h"
#include "outbox/store_contract.h"

namespace tally::test {

/// The store in memory, to which the others are compared.
class MemoryUnderTest final : public StoreUnderTest {
 public:
  detail::OutboxStore& store() override { return store_; }
  std::chrono::sys_seconds now() override { return std::chrono::floor<std::chrono::seconds>(clock_->now()); }
  void advance(std::chrono::seconds time) override { clock_->advance(time); }

  std::string outcomeOf(std::uint64_t report) override {
    const auto state = database_->backup();
    const auto found = state->reports().find(report);
    if (found == state->reports().end() || !found->second.end) return {};
    return found->second.end->outcome + ": " + found->second.end->reason;
  }
  std::string answerTo(std::uint64_t request) override {
    return database_->backup()->requests().at(request).answer.value_or("");
  }
  std::vector<std::string> lateFindings() override {
    std::vector<std::string> findings;
    const auto state = database_->backup();
    for (const auto& [report, finding] : state->late())
      findings.push_back(std::to_string(report) + ": " + finding);
    return findings;
  }

 private:
  std::shared_ptr<fake::VirtualClock> clock_ = clockOfDatabase();
  std::shared_ptr<detail::MemoryDatabase> database_ = std::make_shared<detail::MemoryDatabase>(clock_);
  detail::MemoryStore store_{database_};
};

}  // namespace tally::test
