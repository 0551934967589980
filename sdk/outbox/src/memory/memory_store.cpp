#include "memory/memory_store.h"

#include <algorithm>
#include <exception>
#include <type_traits>
#include <utility>

namespace tally::detail {

namespace {

/// Calls `work` again while connections break, a few times.
template <class F>
auto withConnections(F work) {
  constexpr int most = 5;
  for (int connection = 1;; ++connection) {
    try {
      return work();
    } catch (const MemoryConnectionLost&) {
      if (connection == most) throw;
    }
  }
}

class MemoryDomainStore final : public DomainStore {
 public:
  MemoryDomainStore(MemoryConnection connection, MemorySession session)
      : connection_(std::move(connection)), session_(std::move(session)) {}

  void restart() override { held_.clear(); }

  DomainNews read(std::size_t normal, std::size_t low) override {
    DomainNews news =
        perform("read", false, [&](MemoryState& state, const MemorySession& session, Instant now) {
          return state.read(session, {normal, low}, held_, now);
        });
    for (const std::uint64_t urgent : news.urgent)
      held_[urgent] = ReportPriority::normal;
    hold(news.heads);
    return news;
  }

  std::vector<Head> write(const Batch& batch) override {
    MemoryReply reply =
        perform("write", true, [batch](MemoryState& state, const MemorySession& session, Instant now) {
          return state.write(session, batch, now);
        });
    for (const Outcome& outcome : batch.outcomes)
      held_.erase(outcome.report);
    for (const Deferral& deferral : batch.deferrals)
      held_.erase(deferral.report);
    for (const Parking& parking : batch.parkings)
      held_.erase(parking.report);
    return accept(std::move(reply));
  }

  std::vector<Head> carryOut(std::span<const std::uint64_t> requests) override {
    const std::vector<std::uint64_t> numbers{requests.begin(), requests.end()};
    return accept(
        perform("carryOut", true, [numbers](MemoryState& state, const MemorySession& session, Instant now) {
          return state.carryOut(session, numbers, now);
        }));
  }

  void answer(std::uint64_t request, const std::string& text) override {
    (void)accept(
        perform("answer", true, [request, text](MemoryState& state, const MemorySession& session, Instant) {
          return state.answer(session, request, text);
        }));
  }

  void pause(const std::string& reason) override {
    (void)accept(perform("pause", true, [reason](MemoryState& state, const MemorySession& session, Instant) {
      return state.pauseOwn(session, reason);
    }));
  }

  void maintain() override {
    (void)accept(perform("maintain", true, [](MemoryState& state, const MemorySession& session, Instant now) {
      return state.maintain(session, now);
    }));
  }

  std::size_t removeDecided(std::chrono::seconds age, std::size_t limit) override {
    MemoryReply reply = perform("removeDecided", true,
                                [age, limit](MemoryState& state, const MemorySession& session, Instant now) {
                                  return state.removeDecided(session, age, limit, now);
                                });
    const std::size_t removed = reply.removed;
    (void)accept(std::move(reply));
    return removed;
  }

  void writeLate(std::span<const LateFinding> findings) noexcept override {
    try {
      withConnections([&] {
        return connection_.call(
            operation("writeLate", true),
            [late = std::vector(findings.begin(), findings.end())](MemoryState& state, Instant now) {
              state.writeLate(late, now);
              return true;
            });
      });
    } catch (const std::exception&) {
      // The worker can do nothing more.
    }
  }

 private:
  [[nodiscard]] MemoryOperation operation(std::string_view name, bool writes) const {
    return {.name = name, .writes = writes, .incarnation = session_.incarnation, .domain = session_.domain};
  }

  /// Whatever of the last session has not arrived when the new one begins has no effect. So `work` can be
  /// done again in the new one.
  template <class F>
  std::invoke_result_t<const F&, MemoryState&, const MemorySession&, Instant> perform(std::string_view name,
                                                                                      bool writes,
                                                                                      const F& work) {
    if (isOver_) throw SessionOver{};
    try {
      return withConnections([&] {
        if (std::exchange(isLost_, true)) renew();
        auto result = connection_.call(operation(name, writes),
                                       [session = session_, work](MemoryState& state, Instant now) {
                                         return work(state, session, now);
                                       });
        isLost_ = false;
        return result;
      });
    } catch (const SessionOver&) {
      isOver_ = true;
      throw;
    }
  }

  void renew() {
    const auto session =
        connection_.call(operation("renew", true),
                         [old = session_, acknowledged = acknowledged_](MemoryState& state, Instant) {
                           return state.renew(old.domain, old.incarnation, acknowledged);
                         });
    if (!session) throw SessionOver{};
    session_ = *session;
  }

  std::vector<Head> accept(MemoryReply reply) {
    acknowledged_ = reply.writes;
    hold(reply.heads);
    return std::move(reply.heads);
  }

  void hold(std::span<const Head> heads) {
    for (const Head& head : heads)
      if (!head.isRecheck) held_.insert_or_assign(head.id, head.priority);
  }

  MemoryConnection connection_;
  MemorySession session_;
  bool isLost_ = false;  // the last operation may yet arrive
  bool isOver_ = false;
  std::uint64_t acknowledged_ = 0;
  HeldHeads held_;
};

class MemoryWorkerStore final : public WorkerStore {
 public:
  MemoryWorkerStore(std::shared_ptr<MemoryDatabase> database, std::string incarnation)
      : database_(database), connection_(std::move(database)), incarnation_(std::move(incarnation)) {}

  const std::string& incarnation() const noexcept override { return incarnation_; }

  std::optional<Heartbeat> beat() override {
    auto reply = perform("beat", {}, [me = incarnation_, last = lastBeat_](MemoryState& state) {
      return state.beat(me, last);
    });
    if (!reply) return std::nullopt;
    lastBeat_ = reply->first;
    return std::move(reply->second);
  }

  bool declareDead(const Peer& peer) override {
    return perform("declareDead", {},
                   [peer](MemoryState& state) { return state.declareDead(peer.incarnation, peer.beat); });
  }

  /// After a lost reply, the worker may own the domain already.
  std::unique_ptr<DomainStore> claim(const std::string& domain) override {
    const auto session = withConnections([&, isRepeated = false]() mutable {
      return connection_.call({.name = "claim", .incarnation = incarnation_, .domain = domain},
                              [isRepeated = std::exchange(isRepeated, true), domain, me = incarnation_](
                                  MemoryState& state, Instant now) {
                                const auto owned = isRepeated ? state.renew(domain, me, 0) : std::nullopt;
                                return owned ? owned : state.claim(domain, me, now);
                              });
    });
    return session ? std::make_unique<MemoryDomainStore>(MemoryConnection{database_}, *session) : nullptr;
  }

  void giveUp(const std::string& domain) override {
    perform("giveUp", domain, [domain, me = incarnation_](MemoryState& state) {
      state.giveUp(domain, me);
      return true;
    });
  }

  void depart() override {
    perform("depart", {}, [me = incarnation_](MemoryState& state) {
      state.depart(me);
      return true;
    });
    lastBeat_ = 0;
  }

 private:
  template <class F>
  std::invoke_result_t<const F&, MemoryState&> perform(std::string_view name, std::string_view domain,
                                                       const F& work) {
    return withConnections([&] {
      return connection_.call({.name = name, .incarnation = incarnation_, .domain = domain},
                              [work](MemoryState& state, Instant) { return work(state); });
    });
  }

  std::shared_ptr<MemoryDatabase> database_;
  MemoryConnection connection_;
  std::string incarnation_;
  std::uint64_t lastBeat_ = 0;
};

}  // namespace

/// Not repeated if the reply is lost: only the application knows whether it can be.
Result<std::vector<std::uint64_t>> MemoryStore::enqueueAll(std::string_view domain,
                                                           std::span<const OutboxReport> reports,
                                                           const EnqueueOptions& options) {
  return MemoryConnection{database_}.call(
      {.name = "enqueueAll", .domain = domain},
      [name = std::string{domain}, all = std::vector(reports.begin(), reports.end()), options](
          MemoryState& state, Instant now) { return state.enqueueAll(name, all, options, now); });
}

std::uint64_t MemoryStore::ask(std::string_view action, std::uint64_t report, std::string_view) {
  return MemoryConnection{database_}.call(
      {.name = "ask"},
      [name = std::string{action}, report](MemoryState& state, Instant) { return state.ask(name, report); });
}

void MemoryStore::pause(std::string_view domain, std::string_view reason) {
  MemoryConnection{database_}.call(
      {.name = "pause", .domain = domain},
      [name = std::string{domain}, why = std::string{reason}](MemoryState& state, Instant) {
        state.pause(name, why);
        return true;
      });
}

void MemoryStore::resume(std::string_view domain, std::string_view) {
  MemoryConnection{database_}.call({.name = "resume", .domain = domain},
                                   [name = std::string{domain}](MemoryState& state, Instant) {
                                     state.resume(name);
                                     return true;
                                   });
}

void MemoryStore::limitWaiting(std::string_view domain, std::optional<std::uint64_t> maxWaiting) {
  MemoryConnection{database_}.call({.name = "limitWaiting", .domain = domain},
                                   [name = std::string{domain}, maxWaiting](MemoryState& state, Instant) {
                                     state.limitWaiting(name, maxWaiting);
                                     return true;
                                   });
}

std::uint64_t MemoryStore::erase(std::string_view domain, std::string_view object, std::string_view) {
  return MemoryConnection{database_}.call(
      {.name = "erase", .domain = domain},
      [name = std::string{domain}, about = std::string{object}](MemoryState& state, Instant) {
        return state.erase(name, about);
      });
}

std::vector<OutboxStatus> MemoryStore::status() {
  return MemoryConnection{database_}.call(
      {.name = "status", .writes = false},
      [](const MemoryState& state, Instant now) { return state.status(now); });
}

std::vector<OutboxReportStatus> MemoryStore::failed(std::size_t limit) {
  return MemoryConnection{database_}.call(
      {.name = "failed", .writes = false},
      [limit](const MemoryState& state, Instant now) { return state.failed(limit, now); });
}

std::vector<OutboxReportStatus> MemoryStore::blocked(std::size_t limit) {
  return MemoryConnection{database_}.call(
      {.name = "blocked", .writes = false},
      [limit](const MemoryState& state, Instant now) { return state.blocked(limit, now); });
}

std::vector<OutboxRequestStatus> MemoryStore::requests(std::size_t limit) {
  return MemoryConnection{database_}.call(
      {.name = "requests", .writes = false},
      [limit](const MemoryState& state, Instant) { return state.requests(limit); });
}

std::unique_ptr<WorkerStore> MemoryStore::enroll(const WorkerDescription& description) {
  auto incarnation = withConnections([&] {
    return MemoryConnection{database_}.call(
        {.name = "enroll"}, [description](MemoryState& state, Instant) { return state.enroll(description); });
  });
  return std::make_unique<MemoryWorkerStore>(database_, std::move(incarnation));
}

std::shared_ptr<void> MemoryStore::listen(const std::function<void(std::string_view domain)>& wake) {
  return database_->listen(wake);
}

}  // namespace tally::detail
