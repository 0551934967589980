#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string_view>
#include <variant>
#include <vector>

#include <tally/fake/service.h>

#include "engine/state.h"
#include "engine/visit.h"
#include "tables/catalog.h"

namespace tally::fake::detail {

/// What became of a request, and when whoever sent it knows.
struct Exchange {
  std::variant<HttpResponse, TransportFailure> result{};
  Instant end{};
  Instant until{};  // for so long the sender waits for it
};

struct Call;
/// The limits of an account that a request asks, and what it asks them for.
struct Share {
  ModeState& mode;
  Applicant applicant;
};

/// What a service is made of, and how it answers a request. Whoever touches `state` holds `mutex`.
class Server {
 public:
  explicit Server(const ServiceOptions& options, const Description& description = {});

  /// Answers a request. Takes no time on the clock, unless the request has to wait for an object's lock; for
  /// the rest of its duration it stays in progress, and its object locked.
  /// `otherMethod` is the request's where it is neither GET nor POST.
  [[nodiscard]] Exchange exchange(const HttpRequest& request, const SendLimits& limits,
                                  std::string_view otherMethod = {});

  /// What becomes of a request whose sender does not block, or until when it waits for its object. The first
  /// time it arrives, and then it goes on. Takes no time on the clock.
  [[nodiscard]] std::variant<Exchange, Instant> proceed(Call& call);

  /// Its sender goes away while it waits.
  void abandon(Call& call);

  /// Reads a request, which the result refers to. `otherMethod` as in exchange().
  [[nodiscard]] Arrival arrive(const HttpRequest& request, std::string_view otherMethod) const;

  /// The answer alone, at once; empty where there is none.
  [[nodiscard]] HttpResponse handle(const HttpRequest& request);

  Account addAccount(AccountOptions accountOptions = {});

  [[nodiscard]] std::uint64_t hold(Hold hold);
  void release(std::uint64_t number);

  mutable std::mutex mutex{};
  const ServiceOptions options;
  const std::shared_ptr<VirtualClock> clock;
  const Catalog catalog;
  std::shared_ptr<State> state;

  /// How many copies with other keys there are of this service and its copies.
  std::shared_ptr<std::atomic<std::uint64_t>> branches = std::make_shared<std::atomic<std::uint64_t>>(0);

 private:
  using Lock = std::unique_lock<std::mutex>;

  void enter(Visit& visit, const SendLimits& limits) const;
  [[nodiscard]] std::optional<Instant> serve(Visit& visit) const;
  [[nodiscard]] bool isKnown(Visit& visit, State& current) const;
  void meetScript(Visit& visit, State& current, Moment moment) const;
  [[nodiscard]] bool isScripted(Visit& visit, State& current) const;
  void scriptAnswer(Visit& visit, State& current) const;
  [[nodiscard]] bool isAdmitted(Visit& visit, State& current) const;
  [[nodiscard]] std::optional<Instant> lockedUntil(const Visit& visit) const;
  [[nodiscard]] Instant lockTimeout(const Visit& visit) const;
  [[nodiscard]] bool givesUp(Visit& visit) const;
  void waitUntil(Instant time, Lock& lock, const std::stop_token& stop);
  void process(Visit& visit, State& current) const;
  [[nodiscard]] Answer carryOut(const Visit& visit, State& current) const;
  void keepIndexes(Collection& original, Collection searched) const;
  void noteCreation(const Visit& visit, State& current, const std::string& id) const;
  void leave(Visit& visit) const;
  void settle(const Visit& visit) const;
  [[nodiscard]] Instant endOf(const Visit& visit) const;
  [[nodiscard]] std::array<Share, 2> sharesOf(const Visit& visit) const;

  const std::uint64_t searchSecret_;
  std::set<std::stop_source*> waiting_{};  // to be woken when a lock is released
  std::uint64_t lastHold_ = 0;
};

}  // namespace tally::fake::detail
