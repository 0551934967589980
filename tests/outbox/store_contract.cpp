#include "store_contract.h"

#include <algorithm>

namespace tally::test {

std::shared_ptr<fake::VirtualClock> clockOfDatabase(int ahead) {
  return std::make_shared<fake::VirtualClock>(
      Instant{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} + std::chrono::hours{ahead}});
}

std::unique_ptr<detail::WorkerStore> enrollSuccessor(detail::OutboxStore& store) {
  auto successor = store.enroll({.host = "host", .process = 2, .domains = {"shop"}});
  const detail::Heartbeat heartbeat = successor->beat().value();
  for (const detail::Peer& peer : heartbeat.peers)
    EXPECT_TRUE(successor->declareDead(peer));
  return successor;
}

void StoreContract::SetUp() {
  tested_ = GetParam().make();
  if (tested_ == nullptr) GTEST_SKIP() << GetParam().name << " is not installed";
  store().migrate();
  worker_ = enroll(1);
  domain_ = worker_->claim("shop");
  ASSERT_NE(domain_, nullptr);
}

void ManyWorkers::SetUp() {
  StoreContract::SetUp();
  if (tested_ != nullptr) other_ = enroll(2, std::chrono::seconds{30});
}

std::unique_ptr<detail::WorkerStore> StoreContract::enroll(int process,
                                                           std::chrono::milliseconds lease) const {
  return store().enroll({.host = "host", .process = process, .domains = {"shop"}, .lease = lease});
}

void StoreContract::takeOver() {
  domain_.reset();
  worker_.reset();
  worker_ = enrollSuccessor(store());
  domain_ = worker_->claim("shop");
  ASSERT_NE(domain_, nullptr);
}

std::uint64_t StoreContract::enqueue(const std::string& id, const std::string& key,
                                     const EnqueueOptions& options) const {
  const std::vector reports{failedReport(id, key)};
  const auto numbers = store().enqueueAll("shop", reports, options);
  if (!numbers) {
    ADD_FAILURE() << numbers.error();
    return 0;
  }
  return numbers->front();
}

Error StoreContract::refusalOf(const OutboxReport& report, std::string_view domain) const {
  const std::vector reports{report};
  const auto numbers = store().enqueueAll(domain, reports, {});
  return numbers ? Error{{.message = "it was enqueued"}} : numbers.error();
}

std::vector<detail::Head> StoreContract::readHeads(std::size_t normal, std::size_t low) const {
  return domain_->read(normal, low).heads;
}

std::vector<std::uint64_t> StoreContract::read(std::size_t normal, std::size_t low) const {
  return numbersOf(readHeads(normal, low));
}

detail::Head StoreContract::readOne() const {
  const auto heads = readHeads();
  EXPECT_EQ(heads.size(), 1U);
  return heads.empty() ? detail::Head{} : heads.front();
}

std::vector<std::uint64_t> StoreContract::decide(std::uint64_t report, const std::string& object,
                                                 const std::string& outcome) const {
  return numbersOf(domain_->write(
      {.outcomes = {{.report = report, .object = object, .outcome = outcome, .reason = "why"}}}));
}

void StoreContract::intend(std::uint64_t report, const std::string& before) const {
  (void)domain_->write({.intents = {{.report = report, .before = before}}});
}

std::string StoreContract::carriedOut(std::string_view action, std::uint64_t report) const {
  const std::vector requests{store().ask(action, report, "ticket 7")};
  (void)domain_->carryOut(requests);
  return tested_->answerTo(requests.front());
}

std::vector<std::uint64_t> numbersOf(const std::vector<detail::Head>& heads) {
  std::vector<std::uint64_t> numbers;
  for (const detail::Head& head : heads)
    numbers.push_back(head.id);
  return numbers;
}

}  // namespace tally::test
