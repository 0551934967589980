// Walks through the pages of a list, with and without prefetching.

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tally/client.h>
#include <tally/payment_records.h>

#include <gtest/gtest.h>

#include "failing_calls/support/search.h"
#include "failing_calls/support/served_fake.h"

namespace tally::test {

namespace {

constexpr std::size_t records = 12;

/// Walks until the end or an error. Returns whether it has reached the end.
bool walk(Pager<PaymentRecord>& pager, std::vector<std::string>& found) {
  for (const Result<PaymentRecord>& record : pager) {
    if (!record) return false;
    found.push_back(record->id.str());
  }
  return true;
}

/// After an error, a walk continues where it was.
template <class Prepare>
void walkPages(Trial& trial, const Client& client, const std::vector<std::string>& ids,
               const Prepare& prepare) {
  Pager<PaymentRecord> pager = prepare(client.paymentRecords().list({.limit = 4}));
  std::vector<std::string> found;
  found.reserve(2 * records);
  bool isWhole = false;
  const std::string thrown = trial.attempt([&] { isWhole = walk(pager, found); });
  trial.check(!trial.isClean() || isWhole, "a walk ends early, although no call fails: " + thrown);
  trial.check(!isWhole || found.size() == ids.size(),
              "a walk that ended without an error has " + std::to_string(found.size()) + " records");
  if (!isWhole) {
    const std::size_t before = found.size();
    trial.require(walk(pager, found), "the walk does not go on");
    // A step that has thrown is not taken.
    if (before != 0 && before < found.size() && found[before - 1] == found[before] && !thrown.empty())
      found.erase(found.begin() + static_cast<std::ptrdiff_t>(before));
  }
  trial.check(std::equal(found.begin(), found.end(), ids.rbegin(), ids.rend()),
              "the walk has other records than the list");
}

}  // namespace

TEST(EachFailingCall, IsHandledByAWalkThroughPages) {
  const auto scenario = [](Trial& trial) {
    ServedFake fake;
    const std::vector<std::string> ids = fake.newRecords(records);
    walkPages(trial, Client{fake.options(trial)}, ids, [](auto&& pager) { return std::move(pager); });
  };
  testFailingCalls(scenario);
}

TEST(EachFailingCall, IsHandledByAWalkThatPrefetchesPages) {
  const auto scenario = [](Trial& trial) {
    ServedFake fake;
    const std::vector<std::string> ids = fake.newRecords(records);
    walkPages(trial, Client{fake.options(trial)}, ids,
              [](auto&& pager) { return std::move(pager).prefetch(); });
  };
  testFailingCalls(scenario);
}

}  // namespace tally::test
