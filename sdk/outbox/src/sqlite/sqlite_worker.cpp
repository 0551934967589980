#include "sqlite/sqlite_worker.h"

#include <exception>
#include <utility>

namespace tally::detail {

namespace {

class SqliteDomainStore final : public DomainStore {
 public:
  SqliteDomainStore(std::shared_ptr<SqliteWork> work, std::string domain, std::uint64_t session)
      : work_(std::move(work)), domain_(std::move(domain)), session_(session) {}

  void restart() override { held_.clear(); }

  DomainNews read(std::size_t normal, std::size_t low) override {
    const auto session = work_->hold(domain_, session_);
    if (work_->database().read(
            [&](SqliteTables& tables, Instant now) { return tables.hasDue(domain_, now); }))
      change([&](SqliteTables& tables, Instant now) { tables.placeDue(domain_, now); });
    DomainNews news = work_->database().read(
        [&](SqliteTables& tables, Instant now) { return tables.read(domain_, {normal, low}, held_, now); });
    for (const std::uint64_t urgent : news.urgent)
      held_[urgent] = ReportPriority::normal;
    hold(news.heads);
    return news;
  }

  std::vector<Head> write(const Batch& batch) override {
    const auto session = work_->hold(domain_, session_);
    if (batch.empty()) return {};
    auto heads = work_->database().write([&](SqliteTables& tables, Instant now) {
      return tables.write(domain_, work_->incarnation(), batch, now);
    });
    for (const Outcome& outcome : batch.outcomes)
      held_.erase(outcome.report);
    for (const Deferral& deferral : batch.deferrals)
      held_.erase(deferral.report);
    for (const Parking& parking : batch.parkings)
      held_.erase(parking.report);
    hold(heads);
    return heads;
  }

  std::vector<Head> carryOut(std::span<const std::uint64_t> requests) override {
    const auto session = work_->hold(domain_, session_);
    auto heads = work_->database().write(
        [&](SqliteTables& tables, Instant now) { return tables.carryOut(domain_, requests, now); });
    hold(heads);
    return heads;
  }

  void answer(std::uint64_t request, const std::string& text) override {
    const auto session = work_->hold(domain_, session_);
    change([&](SqliteTables& tables, Instant) { tables.answer(domain_, request, text); });
  }

  void pause(const std::string& reason) override {
    const auto session = work_->hold(domain_, session_);
    change([&](SqliteTables& tables, Instant now) { tables.pause(domain_, reason, now); });
  }

  void maintain() override {
    const auto session = work_->hold(domain_, session_);
    if (work_->database().read(
            [&](SqliteTables& tables, Instant now) { return tables.needsTidying(domain_, now); }))
      change([&](SqliteTables& tables, Instant now) { tables.tidy(domain_, now); });
  }

  std::size_t removeDecided(std::chrono::seconds age, std::size_t limit) override {
    const auto session = work_->hold(domain_, session_);
    return work_->database().write(
        [&](SqliteTables& tables, Instant now) { return tables.removeDecided(domain_, age, limit, now); });
  }

  void writeLate(std::span<const LateFinding> findings) noexcept override {
    try {
      change([&](SqliteTables& tables, Instant now) {
        tables.writeLate(domain_, work_->incarnation(), findings, now);
      });
    } catch (const std::exception&) {
      // It would only have been a hint.
    }
  }

 private:
  template <class F>
  void change(F work) {
    work_->database().write([&](SqliteTables& tables, Instant now) {
      work(tables, now);
      return true;
    });
  }

  void hold(const std::vector<Head>& heads) {
    for (const Head& head : heads)
      if (!head.isRecheck) held_.insert_or_assign(head.id, head.priority);
  }

  std::shared_ptr<SqliteWork> work_;
  std::string domain_;
  std::uint64_t session_;
  SqliteHeads held_;
};

}  // namespace

SqliteWork::SqliteWork(const DatabaseFile& file, std::shared_ptr<Clock> clock,
                       const WorkerDescription& description)
    : description_(description),
      lock_(std::in_place, file, "-worker"),
      database_(file, std::move(clock)),
      incarnation_(database_.write(
          [&](SqliteTables& tables, Instant now) { return tables.enroll(description, now); })) {}

std::string SqliteWork::owner() const {
  return description_.host + ' ' + std::to_string(description_.process);
}

std::unique_lock<std::mutex> SqliteWork::hold(const std::string& domain, std::uint64_t session) {
  std::unique_lock lock{mutex_};
  const auto found = sessions_.find(domain);
  if (found == sessions_.end() || found->second != session) throw SessionOver{};
  return lock;
}

std::optional<std::uint64_t> SqliteWork::begin(const std::string& domain) {
  const std::scoped_lock lock{mutex_};
  if (!lock_ || sessions_.contains(domain)) return std::nullopt;
  if (!database_.write([&](SqliteTables& tables, Instant) { return tables.own(domain, owner()); }))
    return std::nullopt;
  return sessions_[domain] = ++lastSession_;
}

void SqliteWork::end(const std::string& domain) {
  const std::scoped_lock lock{mutex_};
  if (sessions_.erase(domain) > 0)
    (void)database_.write([&](SqliteTables& tables, Instant) { return tables.own(domain, {}); });
}

std::optional<Heartbeat> SqliteWork::heartbeat() {
  const std::scoped_lock lock{mutex_};
  if (!lock_) return std::nullopt;
  database_.checkPlace();
  Heartbeat reply;
  for (const auto& [domain, session] : sessions_)
    reply.owned.push_back(domain);
  for (const std::string& domain : description_.domains)
    if (!sessions_.contains(domain)) reply.unowned.push_back(domain);
  return reply;
}

void SqliteWork::depart() {
  const std::scoped_lock lock{mutex_};
  if (!lock_) return;
  sessions_.clear();
  database_.write([](SqliteTables& tables, Instant) {
    tables.depart();
    return true;
  });
  lock_.reset();
}

std::unique_ptr<DomainStore> SqliteWorker::claim(const std::string& domain) {
  const auto session = work_->begin(domain);
  return session ? std::make_unique<SqliteDomainStore>(work_, domain, *session) : nullptr;
}

}  // namespace tally::detail
