#include "worker/domain_work.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <tally/pacer.h>

#include "options/key_mode.h"
#include "time/saturating.h"

namespace tally::detail {

namespace {

constexpr std::chrono::milliseconds firstBackoff{1'000};
constexpr std::chrono::milliseconds longestBackoff{60'000};
constexpr std::chrono::milliseconds pausePoll{1'000};
constexpr std::chrono::milliseconds pausePollIfAsked{50};

/// Throws instead of returning a key once an attempt could end after the lease.
ApiKeyProvider fencedKey(const ClientOptions& client, std::shared_ptr<const Lease> lease) {
  ApiKeyProvider provider = client.apiKeyProvider;
  if (!provider) provider = [key = client.apiKey] { return key; };
  return [provider = std::move(provider), lease = std::move(lease), attempt = client.timeout] {
    if (!lease->covers(attempt)) throw std::runtime_error{"the lease has expired"};
    return provider();
  };
}

/// A key is given long before its request is sent if the connection is slow, or the process is suspended
/// meanwhile.
class LeaseFence final : public SendFence {
 public:
  LeaseFence(const ClientOptions& client, std::shared_ptr<const Lease> lease)
      : other_(client.http.fence), lease_(std::move(lease)), attempt_(client.timeout) {}

  bool maySend() const noexcept override {
    return lease_->covers(attempt_) && (other_ == nullptr || other_->maySend());
  }

 private:
  std::shared_ptr<const SendFence> other_;
  std::shared_ptr<const Lease> lease_;
  std::chrono::nanoseconds attempt_;
};

}  // namespace

std::shared_ptr<Pacer> pacerOf(const OutboxDomain& domain) {
  if (domain.client.pacer) return domain.client.pacer;
  PacerOptions pacing = domain.pacing;
  if (!domain.client.apiKey.empty()) pacing.livemode = !isSandboxKey(domain.client.apiKey);
  pacing.assumeUsed = std::max(pacing.assumeUsed, std::chrono::seconds{1});
  return std::make_shared<Pacer>(pacing);
}

Client clientOf(const OutboxDomain& domain, const OutboxOptions& options, std::shared_ptr<Pacer> pacer,
                std::shared_ptr<const Lease> lease) {
  ClientOptions client = domain.client;
  client.pacer = std::move(pacer);
  if (!client.clock) client.clock = options.clock;
  if (!client.transport) client.http.fence = std::make_shared<LeaseFence>(client, lease);
  client.apiKeyProvider = fencedKey(client, std::move(lease));
  client.apiKey = {};
  return Client{std::move(client)};
}

/// A share of its own ends with the domain. A pacer of the application may have other clients.
DomainWork::DomainWork(std::unique_ptr<DomainStore> store, std::shared_ptr<const Lease> lease,
                       const OutboxDomain& domain, const OutboxOptions& options)
    : store_(std::move(store)),
      lease_(std::move(lease)),
      domain_(domain),
      options_(options),
      pacer_(pacerOf(domain)),
      client_(clientOf(domain, options, pacer_, lease_)),
      maintenance_(*store_, options, domain.name, Instant::min()) {
  if (!domain.client.pacer && pacer_->sharesLimits())
    refresher_.emplace(pacer_, std::shared_ptr<Clock>{std::shared_ptr<Clock>{}, &client_.clock()});
}

void DomainWork::tell(OutboxEvent::Kind kind, const std::string& reason) const {
  if (options_.onEvent) options_.onEvent({.kind = kind, .domain = domain_.name, .reason = reason});
}

bool DomainWork::step(const StopToken& stop) {
  if (run_) {
    const auto end = run_->round(stop);
    return !end || follow(*end, run_->problem());
  }
  if (stop.stop_requested()) {
    reason_ = "stopped";
    return false;
  }
  if (!lease_->covers(std::chrono::nanoseconds{0})) {
    reason_ = "another worker may own the domain";
    return false;
  }
  if (lease_->now() < next_) return true;
  try {
    if (isPaused_ && isPaused()) return true;
    store_->restart();
    run_ = std::make_unique<DomainRun>(client_, *store_, *lease_, waker_, domain_, options_);
  } catch (const SessionOver& over) {
    reason_ = over.what();
    return false;
  } catch (const OutboxError& error) {
    return follow(DomainRun::End::inTrouble, error.what());
  }
  return true;
}

/// A paused domain sends nothing, but carries out requests and is maintained.
bool DomainWork::isPaused() {
  const DomainNews news = store_->read(0, 0);
  isPaused_ = news.paused.has_value();
  next_ = lease_->now() + (news.requests.empty() ? pausePoll : pausePollIfAsked);
  std::vector<std::uint64_t> requests;
  requests.reserve(news.requests.size());
  for (const OpenRequest& request : news.requests)
    requests.push_back(request.id);
  if (isPaused_ && !requests.empty()) (void)store_->carryOut(requests);  // restart() forgets these heads
  if (isPaused_) maintenance_.perform(lease_->now());  // else reports could be enqueued without a limit
  return isPaused_;
}

/// Whether the domain is kept.
// NOLINTNEXTLINE(performance-unnecessary-value-param): a copy, since it is the problem of `run_`
bool DomainWork::follow(DomainRun::End end, std::string problem) {
  const bool isUnauthorized = run_ && run_->isUnauthorized();
  run_.reset();
  switch (end) {
    case DomainRun::End::stopped:
    case DomainRun::End::lost:
      reason_ = problem.empty() ? "stopped" : problem;
      return false;
    case DomainRun::End::paused:
      isPaused_ = true;
      next_ = lease_->now() + pausePoll;
      if (isUnauthorized) return pauseForKey(problem);
      tell(OutboxEvent::Kind::domainPaused, problem);
      return true;
    case DomainRun::End::inTrouble:
      break;
  }
  if (saturatingSince(next_, lease_->now()) > longestBackoff) backoff_ = {};  // the run has worked
  backoff_ = std::clamp(2 * backoff_, firstBackoff, longestBackoff);
  next_ = lease_->now() + backoff_;
  tell(OutboxEvent::Kind::trouble, problem);
  return true;
}

/// Every other report would be refused too.
bool DomainWork::pauseForKey(const std::string& problem) {
  const std::string reason = "the service refuses the key: " + problem;
  tell(OutboxEvent::Kind::domainPaused, reason);
  try {
    store_->pause(reason);
  } catch (const SessionOver& over) {
    reason_ = over.what();
    return false;
  } catch (const OutboxError& error) {
    tell(OutboxEvent::Kind::trouble, error.what());
  }
  return true;
}

void DomainWork::wait(Instant timer) {
  if (run_) return run_->wait(timer);
  (void)client_.clock().sleepUntil(std::min(nextOnClock(), timer), waker_.token());
  (void)waker_.reset();
}

/// `next_` is a time of the lease.
Instant DomainWork::nextOnClock() const {
  const auto duration = std::max(saturatingSince(lease_->now(), next_), std::chrono::nanoseconds{0});
  return saturatingAdd(client_.clock().now(), duration);
}

std::optional<Instant> DomainWork::due() const {
  if (waker_.token().stop_requested()) return std::nullopt;
  return run_ ? run_->due() : nextOnClock();
}

}  // namespace tally::detail
