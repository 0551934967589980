#include "worker/worker.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

#include "platform/machine.h"

namespace tally::detail {

namespace {

constexpr std::chrono::milliseconds enrollAgainAfter{1'000};
constexpr std::chrono::nanoseconds slice{
    10'000'000};  // of all domains that are busy, if one thread works on them

std::function<Instant()> leaseClockOf(const OutboxOptions& options) {
  if (!options.clock) return bootTime;
  return [clock = options.clock] { return clock->now(); };
}

OutboxOptions oneEventAtATime(OutboxOptions options) {
  if (options.onEvent)
    options.onEvent = [receive = std::move(options.onEvent),
                       mutex = std::make_shared<std::mutex>()](const OutboxEvent& event) {
      const std::lock_guard lock{*mutex};
      receive(event);
    };
  return options;
}

bool isInProcess(const OutboxDomain& domain) {
  return domain.client.transport && domain.client.transport->inProcess();
}

/// A service in this process is on a clock of its own, on which the worker must wait too.
OutboxOptions onClockOfService(OutboxOptions options) {
  const auto domain = std::ranges::find_if(options.domains, isInProcess);
  if (!options.clock && domain != options.domains.end()) options.clock = domain->client.clock;
  return options;
}

std::string messageOf(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception";
  }
}

}  // namespace

/// A domain that is owned, and its thread.
struct Worker::Task {
  std::unique_ptr<DomainWork> work{};
  StopSource stop{};
  std::atomic<bool> hasEnded{false};
  std::exception_ptr failure{};  // read once it has ended
  std::string reason{};          // why it is stopped
  std::thread thread{};

  /// Returns whether it goes on. What throws may leave reports of which nobody waits for the end, so the task
  /// must not go on then.
  bool step() {
    return attempt([this] { return work->step(stop.get_token()); });
  }
  void wait(Instant timer = Instant::max()) {
    attempt([&] {
      work->wait(timer);
      return true;
    });
  }

  /// An exception, such as one of the application or a lack of memory, ends it: then the domain is given up.
  void run() noexcept {
    try {
      while (step())
        wait();
    } catch (...) {  // NOLINT(bugprone-empty-catch): it is kept
    }
  }

  [[nodiscard]] std::string whyItEnded() const {
    if (failure) return messageOf(failure);
    return reason.empty() ? work->reason() : reason;
  }

  void requestStop() {
    stop.request_stop();
    work->waker().wake();
  }

  void end() noexcept {
    requestStop();
    if (thread.joinable()) {
      thread.join();
    } else if (!hasEnded) {
      run();
    }
  }

 private:
  template <typename Act>
  bool attempt(Act act) {
    try {
      hasEnded = !act();
    } catch (...) {
      failure = std::current_exception();
      hasEnded = true;
      throw;
    }
    return !hasEnded;
  }
};

Worker::Worker(OutboxStore& store, const OutboxOptions& options)
    : store_(store),
      options_(oneEventAtATime(onClockOfService(options))),
      inThreads_(std::ranges::none_of(options.domains, isInProcess)),
      clock_(options_.clock ? options_.clock : systemClock()),
      lease_(std::make_shared<Lease>(leaseClockOf(options_))) {}

/// An exception has left run(). If it is a lack of memory, the events that tell of the ends need some.
Worker::~Worker() {
  requestStops();
  for (const auto& [domain, task] : tasks_) {
    task->end();
    try {
      tell(OutboxEvent::Kind::domainReleased, task->whyItEnded(), domain);
    } catch (...) {  // NOLINT(bugprone-empty-catch): run() has thrown
    }
  }
}

void Worker::tell(OutboxEvent::Kind kind, const std::string& reason, const std::string& domain) const {
  if (options_.onEvent) options_.onEvent({.kind = kind, .domain = domain, .reason = reason});
}

void Worker::run(const StopToken& stop) {
  if (const std::string lack = store_.lackOfDurability(); !lack.empty() && !options_.allowLossOnPowerFailure)
    throw refusalOfLoss(lack);
  const StopCallback onStop{stop, [this] { waker_.wake(); }};
  const auto listener = store_.listen([this](std::string_view domain) { noteNews(domain); });
  while (!stop.stop_requested()) {
    try {
      live(stop);
    } catch (const OutboxError& error) {
      if (!hasEnrolled_) throw;
      tellError(error.what());
    }
    stopAll();
    if (!stop.stop_requested()) (void)clock_->sleepUntil(clock_->now() + enrollAgainAfter, stop);
  }
  if (hasEnrolled_) tell(OutboxEvent::Kind::stopped, "");
}

/// From enrolling until the stop, or until others have declared this worker dead.
void Worker::live(const StopToken& stop) {
  WorkerDescription description{.host = hostName(),
                                .process = processId(),
                                .lease = std::chrono::ceil<std::chrono::milliseconds>(options_.lease),
                                .refusesLoss = !options_.allowLossOnPowerFailure};
  for (const OutboxDomain& domain : options_.domains)
    description.domains.push_back(domain.name);
  self_.reset();  // the last enrollment may hold a lock that the next one needs
  self_ = store_.enroll(description);
  hasEnrolled_ = true;
  tell(OutboxEvent::Kind::started, description.host + ' ' + std::to_string(description.process));
  Membership membership{*self_, *lease_, options_.lease, description.domains};
  while (!stop.stop_requested()) {
    if (lease_->now() >= membership.due()) {
      try {
        const Membership::Plan plan = membership.beat();
        if (plan.isFenced)
          return tell(
              OutboxEvent::Kind::fenced,
              "other workers have declared this worker dead, or the database has forgotten its heartbeats");
        tell(OutboxEvent::Kind::heartbeat, "");
        follow(plan, membership.due());
      } catch (const OutboxError& error) {
        tellError(error.what());
      }
    }
    try {
      collectEnded(membership.due());
    } catch (const OutboxError& error) {  // the next heartbeat gives up domains without a thread
      tellError(error.what());
    }
    wait(stop, membership.due());
  }
  finish(membership);
  self_->depart();
}

/// What is not done by `due` is left to the next heartbeat: many domains may take longer than the lease.
void Worker::follow(const Membership::Plan& plan, Instant due) {
  for (const Peer& peer : plan.died)
    tell(OutboxEvent::Kind::peerDied, peer.incarnation);
  if (plan.release) release(*plan.release);
  for (const std::string& domain : plan.claims) {
    claim(domain);
    if (lease_->now() >= due) return;
  }
  // A claim whose reply was lost has left these without a session.
  for (const std::string& domain : plan.owned) {
    if (tasks_.contains(domain)) continue;
    self_->giveUp(domain);
    if (lease_->now() >= due) return;
  }
}

void Worker::claim(const std::string& domain) {
  const auto options = std::ranges::find(options_.domains, domain, &OutboxDomain::name);
  if (options == options_.domains.end() || tasks_.contains(domain)) return;
  auto store = self_->claim(domain);
  if (!store) return;
  auto task = std::make_unique<Task>();
  task->work = std::make_unique<DomainWork>(std::move(store), lease_, *options, options_);
  tell(OutboxEvent::Kind::domainClaimed, "", domain);
  Task& kept = *(tasks_[domain] = std::move(task));
  if (inThreads_)
    kept.thread = std::thread{[this, &kept] {
      kept.run();
      waker_.wake();
    }};
}

/// The domain is given up once what is in flight is decided. Meanwhile, heartbeats continue.
void Worker::release(const std::string& domain) {
  const auto found = tasks_.find(domain);
  if (found == tasks_.end()) return;
  found->second->reason = "another worker is taking over the domain";
  found->second->requestStop();
}

void Worker::endTask(const std::string& domain) {
  const auto found = tasks_.find(domain);
  found->second->end();
  tell(OutboxEvent::Kind::domainReleased, found->second->whyItEnded(), domain);
  tasks_.erase(found);
}

/// The same.
void Worker::collectEnded(Instant due) {
  std::vector<std::string> ended;
  for (const auto& [domain, task] : tasks_)
    if (task->hasEnded) ended.push_back(domain);
  for (const std::string& domain : ended) {
    endTask(domain);
    self_->giveUp(domain);
    if (lease_->now() >= due) return;
  }
}

/// Reports in flight are decided only within the lease, so heartbeats continue.
void Worker::finish(Membership& membership) {
  requestStops();
  const auto works = [](const auto& one) { return !one.second->hasEnded; };
  while (inThreads_ && std::ranges::any_of(tasks_, works)) {
    try {
      if (lease_->now() >= membership.due() && membership.beat().isFenced) break;
    } catch (const OutboxError& error) {
      tellError(error.what());
    }
    waitUntil(membership.due());
    (void)waker_.reset();
  }
  stopAll();
}

void Worker::requestStops() {
  for (const auto& [domain, task] : tasks_)
    task->requestStop();
}

void Worker::stopAll() {
  requestStops();
  while (!tasks_.empty())
    endTask(std::string{tasks_.begin()->first});
}

/// `due`, a time of the lease, on the clock of waits.
Instant Worker::inWaits(Instant due) const {
  return clock_->now() + std::max(due - lease_->now(), std::chrono::nanoseconds{0});
}

/// Or until this is woken.
void Worker::waitUntil(Instant due) {
  (void)clock_->sleepUntil(inWaits(due), waker_.token());
}

/// In the thread of the listener. Others enqueue in the domains of other workers, too.
void Worker::noteNews(std::string_view domain) {
  if (std::ranges::find(options_.domains, domain, &OutboxDomain::name) == options_.domains.end()) return;
  {
    const std::lock_guard lock{newsMutex_};
    news_.emplace(domain);
  }
  waker_.wake();
}

std::set<std::string> Worker::takeNews() {
  const std::lock_guard lock{newsMutex_};
  return std::exchange(news_, {});
}

/// Waits until the next heartbeat is due, or something else is to be done.
void Worker::wait(const StopToken& stop, Instant due) {
  if (inThreads_ || tasks_.empty()) {
    waitUntil(due);
  } else {
    stepAll(stop, inWaits(due));
  }
  (void)waker_.reset();
  for (const std::string& domain : takeNews())
    if (const auto task = tasks_.find(domain); task != tasks_.end()) task->second->work->waker().wake();
}

void Worker::stepAll(const StopToken& stop, Instant until) {
  while (!stop.stop_requested() && clock_->now() < until) {
    Instant next = until;
    std::vector<Task*> busy;
    for (const auto& [domain, task] : tasks_) {
      if (!task->step()) return;
      const auto due = task->work->due();
      next = std::min(next, due.value_or(until));
      if (!due) busy.push_back(task.get());
    }
    if (busy.empty() && !clock_->sleepUntil(next, waker_.token())) return;
    const auto count = static_cast<std::ptrdiff_t>(busy.size());
    for (Task* task : busy)
      task->wait(count == 1 ? next : std::min(next, clock_->now() + slice / count));
  }
}

}  // namespace tally::detail
