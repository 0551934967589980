#include "worker/worker.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>
#include <exception>
#include <mutex>
#include <utility>

#include <unistd.h>

namespace tally::detail {

namespace {

constexpr std::chrono::milliseconds enrollAgainAfter{1'000};
constexpr std::chrono::milliseconds slice{10};  // of each domain, if all are worked on in one thread

/// Also runs while the machine is suspended, where the system has such a clock.
Instant bootTime() {
#ifdef CLOCK_BOOTTIME
  constexpr clockid_t clock = CLOCK_BOOTTIME;
#else
  constexpr clockid_t clock = CLOCK_MONOTONIC;
#endif
  std::timespec time{};
  (void)::clock_gettime(clock, &time);
  return Instant{std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec}};
}

std::function<Instant()> leaseClockOf(const OutboxOptions& options) {
  if (!options.clock) return bootTime;
  return [clock = options.clock] { return clock->now(); };
}

std::string hostName() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
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

}  // namespace

/// A domain that is owned, and its thread.
struct Worker::Task {
  std::unique_ptr<DomainWork> work{};
  StopSource stop{};
  std::atomic<bool> hasEnded{false};
  std::thread thread{};

  void run() noexcept {
    try {
      while (work->step(stop.get_token()))
        work->wait();
    } catch (...) {  // such as a lack of memory: others take over
    }
    hasEnded = true;
  }
};

Worker::Worker(OutboxStore& store, const OutboxOptions& options)
    : store_(store),
      options_(oneEventAtATime(options)),
      inThreads_(std::ranges::none_of(options.domains, isInProcess)),
      clock_(options.clock ? options.clock : systemClock()),
      lease_(std::make_shared<Lease>(leaseClockOf(options))) {}

Worker::~Worker() {
  stopAll();
}

void Worker::tell(OutboxEvent::Kind kind, const std::string& reason, const std::string& domain) const {
  if (options_.onEvent) options_.onEvent({.kind = kind, .domain = domain, .reason = reason});
}

void Worker::run(const StopToken& stop) {
  if (const std::string lack = store_.lackOfDurability(); !lack.empty() && !options_.allowLossOnPowerFailure)
    throw OutboxError{"the database may lose commits when the power fails: " + lack +
                          "; set OutboxOptions::allowLossOnPowerFailure to work nevertheless",
                      {}};
  const StopCallback onStop{stop, [this] { waker_.wake(); }};
  const auto listener = store_.listen([this](std::string_view) { waker_.wake(); });
  bool isFirst = true;
  while (!stop.stop_requested()) {
    try {
      live(stop);
    } catch (const OutboxError& error) {
      if (std::exchange(isFirst, false)) throw;
      tellError(error.what());
    }
    isFirst = false;
    stopAll();
    if (!stop.stop_requested()) (void)clock_->sleepUntil(clock_->now() + enrollAgainAfter, stop);
  }
}

/// From enrolling until the stop, or until others have declared this worker dead.
void Worker::live(const StopToken& stop) {
  WorkerDescription description{.host = hostName(),
                                .process = static_cast<int>(::getpid()),
                                .lease = std::chrono::ceil<std::chrono::milliseconds>(options_.lease)};
  for (const OutboxDomain& domain : options_.domains)
    description.domains.push_back(domain.name);
  self_ = store_.enroll(description);
  tell(OutboxEvent::Kind::started, description.host + ' ' + std::to_string(description.process));
  Membership membership{*self_, *lease_, options_.lease, description.domains};
  while (!stop.stop_requested()) {
    if (lease_->now() >= membership.due()) {
      try {
        const Membership::Plan plan = membership.beat();
        if (plan.isFenced) return tell(OutboxEvent::Kind::fenced, "others have declared this worker dead");
        follow(plan);
      } catch (const OutboxError& error) {
        tellError(error.what());
      }
    }
    collectEnded();
    wait(stop, membership.due());
  }
  stopAll();
  self_->depart();
  tell(OutboxEvent::Kind::stopped, "");
}

void Worker::follow(const Membership::Plan& plan) {
  for (const Peer& peer : plan.died)
    tell(OutboxEvent::Kind::peerDied, peer.incarnation);
  for (const std::string& domain : plan.claims)
    claim(domain);
  if (plan.release) {
    endTask(*plan.release, "another worker is to have it");
    self_->giveUp(*plan.release);
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
  if (inThreads_) kept.thread = std::thread{[&kept] { kept.run(); }};
}

void Worker::endTask(const std::string& domain, const std::string& reason) {
  const auto found = tasks_.find(domain);
  if (found == tasks_.end()) return;
  Task& task = *found->second;
  task.stop.request_stop();
  task.work->waker().wake();
  if (task.thread.joinable()) {
    task.thread.join();
  } else if (!task.hasEnded) {
    task.run();
  }
  tell(OutboxEvent::Kind::domainReleased, reason.empty() ? task.work->reason() : reason, domain);
  tasks_.erase(found);
}

void Worker::collectEnded() {
  std::vector<std::string> ended;
  for (const auto& [domain, task] : tasks_)
    if (task->hasEnded) ended.push_back(domain);
  for (const std::string& domain : ended) {
    endTask(domain, "");
    self_->giveUp(domain);
  }
}

void Worker::stopAll() {
  for (const auto& [domain, task] : tasks_) {
    task->stop.request_stop();
    task->work->waker().wake();
  }
  while (!tasks_.empty())
    endTask(tasks_.begin()->first, "");
}

/// Waits until the next heartbeat is due. A listener that wakes this means that a domain has news.
void Worker::wait(const StopToken& stop, Instant due) {
  const auto duration = std::max(due - lease_->now(), std::chrono::nanoseconds{0});
  const Instant until = clock_->now() + duration;
  if (inThreads_ || tasks_.empty()) {
    (void)clock_->sleepUntil(until, waker_.token());
  } else {
    stepAll(stop, until);
  }
  if (!waker_.reset()) return;
  for (const auto& [domain, task] : tasks_)
    task->work->waker().wake();
}

void Worker::stepAll(const StopToken& stop, Instant until) {
  while (!stop.stop_requested() && clock_->now() < until) {
    for (const auto& [domain, task] : tasks_) {
      if (task->hasEnded) return;
      if (task->work->step(task->stop.get_token())) {
        task->work->wait(tasks_.size() == 1 ? until : std::min(until, clock_->now() + slice));
      } else {
        task->hasEnded = true;
      }
    }
  }
}

}  // namespace tally::detail
