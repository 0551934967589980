#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "memory/memory_store.h"
#include "worker/store.h"

namespace tally::test {

/// Which rule a store breaks. What is empty is as it should be.
struct BrokenRules {
  std::function<void(detail::Batch&)> written{};    // changes what is written
  std::function<void(detail::Head&)> read{};        // changes what is read
  std::function<void(detail::DomainNews&)> news{};  // the same
  std::function<void()> beforeWrite{};              // when the batch has been decided
  std::function<void()> afterWrite{};               // once it is durable
  bool isFenced = true;  // else a write after the end of the session seems to succeed
};

class BrokenDomain final : public detail::DomainStore {
 public:
  BrokenDomain(std::unique_ptr<detail::DomainStore> inner, const BrokenRules& rules)
      : inner_(std::move(inner)), rules_(rules) {}

  void restart() override { inner_->restart(); }
  detail::DomainNews read(std::size_t normal, std::size_t low) override {
    detail::DomainNews news = inner_->read(normal, low);
    news.heads = changed(std::move(news.heads));
    if (rules_.news) rules_.news(news);
    return news;
  }
  std::vector<detail::Head> write(const detail::Batch& batch) override {
    detail::Batch broken = batch;
    if (rules_.written) rules_.written(broken);
    if (rules_.beforeWrite) rules_.beforeWrite();
    std::vector<detail::Head> heads = changed(writeIfOwner(broken));
    if (rules_.afterWrite) rules_.afterWrite();
    return heads;
  }
  std::vector<detail::Head> carryOut(std::span<const std::uint64_t> requests) override {
    return changed(inner_->carryOut(requests));
  }
  void answer(std::uint64_t request, const std::string& text) override { inner_->answer(request, text); }
  void pause(const std::string& reason) override { inner_->pause(reason); }
  void maintain() override { inner_->maintain(); }
  std::size_t removeDecided(std::chrono::seconds age, std::size_t limit) override {
    return inner_->removeDecided(age, limit);
  }
  void writeLate(std::span<const detail::LateFinding> findings) noexcept override {
    inner_->writeLate(findings);
  }

 private:
  std::vector<detail::Head> writeIfOwner(const detail::Batch& batch) {
    try {
      return inner_->write(batch);
    } catch (const detail::SessionOver&) {
      if (rules_.isFenced) throw;
      return {};
    }
  }

  std::vector<detail::Head> changed(std::vector<detail::Head> heads) const {
    if (rules_.read) std::ranges::for_each(heads, rules_.read);
    return heads;
  }

  std::unique_ptr<detail::DomainStore> inner_;
  const BrokenRules& rules_;
};

class BrokenWorker final : public detail::WorkerStore {
 public:
  BrokenWorker(std::unique_ptr<detail::WorkerStore> inner, const BrokenRules& rules)
      : inner_(std::move(inner)), rules_(rules) {}

  const std::string& incarnation() const noexcept override { return inner_->incarnation(); }
  std::optional<detail::Heartbeat> beat() override { return inner_->beat(); }
  bool declareDead(const detail::Peer& peer) override { return inner_->declareDead(peer); }
  std::unique_ptr<detail::DomainStore> claim(const std::string& domain) override {
    auto claimed = inner_->claim(domain);
    return claimed ? std::make_unique<BrokenDomain>(std::move(claimed), rules_) : nullptr;
  }
  void giveUp(const std::string& domain) override { inner_->giveUp(domain); }
  void depart() override { inner_->depart(); }

 private:
  std::unique_ptr<detail::WorkerStore> inner_;
  const BrokenRules& rules_;
};

/// For workers: a store in memory that breaks rules.
class BrokenStore final : public detail::OutboxStore {
 public:
  BrokenStore(std::shared_ptr<detail::MemoryDatabase> database, const BrokenRules& rules)
      : inner_(std::move(database)), rules_(rules) {}

  void migrate() override { inner_.migrate(); }
  std::string lackOfDurability() override { return inner_.lackOfDurability(); }
  Result<std::vector<std::uint64_t>> enqueueAll(std::string_view domain,
                                                std::span<const OutboxReport> reports,
                                                const EnqueueOptions& options) override {
    return inner_.enqueueAll(domain, reports, options);
  }
  std::uint64_t ask(std::string_view action, std::uint64_t report, std::string_view note) override {
    return inner_.ask(action, report, note);
  }
  void pause(std::string_view domain, std::string_view reason) override { inner_.pause(domain, reason); }
  void resume(std::string_view domain, std::string_view note) override { inner_.resume(domain, note); }
  void limitWaiting(std::string_view domain, std::optional<std::uint64_t> maxWaiting) override {
    inner_.limitWaiting(domain, maxWaiting);
  }
  std::uint64_t erase(std::string_view domain, std::string_view object, std::string_view note) override {
    return inner_.erase(domain, object, note);
  }
  std::vector<OutboxStatus> status() override { return inner_.status(); }
  std::vector<OutboxReportStatus> failed(std::size_t limit) override { return inner_.failed(limit); }
  std::vector<OutboxReportStatus> blocked(std::size_t limit) override { return inner_.blocked(limit); }
  std::vector<OutboxRequestStatus> requests(std::size_t limit) override { return inner_.requests(limit); }
  std::unique_ptr<detail::WorkerStore> enroll(const detail::WorkerDescription& description) override {
    return std::make_unique<BrokenWorker>(inner_.enroll(description), rules_);
  }
  std::shared_ptr<void> listen(const std::function<void(std::string_view)>& wake) override {
    return inner_.listen(wake);
  }

 private:
  detail::MemoryStore inner_;
  const BrokenRules& rules_;
};

}  // namespace tally::test
