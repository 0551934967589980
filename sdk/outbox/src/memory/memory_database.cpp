#include "memory/memory_database.h"

#include <exception>

namespace tally::detail {

MemoryDatabase::MemoryDatabase(std::shared_ptr<Clock> clock, MemoryFaults faults)
    : clock_(std::move(clock)), faults_(std::move(faults)) {}

void MemoryDatabase::restart() {
  const std::scoped_lock lock{mutex_};
  breakConnections();
}

void MemoryDatabase::breakConnections() {
  ++epoch_;
  late_.clear();
}

std::shared_ptr<const MemoryState> MemoryDatabase::backup() const {
  const std::scoped_lock lock{mutex_};
  return std::make_shared<const MemoryState>(state_);
}

void MemoryDatabase::look(const std::function<void(const MemoryState&)>& see) const {
  const std::scoped_lock lock{mutex_};
  see(state_);
}

void MemoryDatabase::forgetSince(const MemoryState& backup) {
  const std::scoped_lock lock{mutex_};
  state_ = backup;
  breakConnections();
}

void MemoryDatabase::failOverTo(const MemoryState& backup) {
  const std::scoped_lock lock{mutex_};
  state_ = backup;
  state_.changeIdentity();
  breakConnections();
}

void MemoryDatabase::deliver() {
  std::unique_lock lock{mutex_};
  const std::vector<Work> arrived = std::exchange(late_, {});
  lock.unlock();
  for (const Work& work : arrived)
    try {
      change(work);
    } catch (const std::exception&) {
      // Nobody waits for the answer.
    }
}

void MemoryDatabase::change(const Work& work) {
  std::unique_lock lock{mutex_};
  work(state_, clock_->now());
  const std::vector<std::string> notifications = state_.takeNotifications();
  lock.unlock();
  if (notifications.empty()) return;
  const std::scoped_lock listening{listenersMutex_};
  for (const std::string& domain : notifications)
    for (const auto& [number, wake] : std::map{listeners_})
      if (listeners_.contains(number)) wake(domain);
}

std::shared_ptr<void> MemoryDatabase::listen(std::function<void(std::string_view domain)> wake) {
  const std::scoped_lock lock{listenersMutex_};
  listeners_.emplace(++lastListener_, std::move(wake));
  return {this, [database = shared_from_this(), number = lastListener_](const void*) {
            const std::scoped_lock leaving{database->listenersMutex_};
            database->listeners_.erase(number);
          }};
}

MemoryConnection::MemoryConnection(std::shared_ptr<MemoryDatabase> database)
    : database_(std::move(database)) {
  const std::scoped_lock lock{database_->mutex_};
  epoch_ = database_->epoch_;  // NOLINT(cppcoreguidelines-prefer-member-initializer): under the lock
}

void MemoryConnection::perform(const MemoryOperation& operation, const MemoryDatabase::Work& work,
                               const std::function<MemoryDatabase::Work()>& late) {
  const MemoryFault fault = database_->faults_ ? database_->faults_(operation) : MemoryFault::none;
  if (fault == MemoryFault::unavailable) throw OutboxError{"the in-memory database is not available", {}};
  database_->change([&](MemoryState& state, Instant now) {
    const bool isBroken = std::exchange(epoch_, database_->epoch_) != database_->epoch_;
    if (fault == MemoryFault::late && operation.writes && !isBroken) database_->late_.push_back(late());
    if (isBroken || fault == MemoryFault::late || fault == MemoryFault::requestLost)
      throw MemoryConnectionLost{};
    work(state, now);
  });
  if (fault == MemoryFault::replyLost) throw MemoryConnectionLost{};
}

}  // namespace tally::detail
