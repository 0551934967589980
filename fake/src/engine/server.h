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

/// The outcome of a request, and when the sender learns it.
struct Exchange {
  TransportResult result{};
  Instant end{};
  Instant until{};  // when the sender stops waiting for it
};

struct Call;
/// The limits that a request must pass in one account, and its application to them.
struct Share {
  ModeState& mode;
  Applicant applicant;
};

/// The components of a service, and the processing of a request. Hold `mutex` to access `state`.
class Server {
 public:
  explicit Server(const ServiceOptions& options, const Description& description = {});

  /// Processes a request. Takes no time on the clock, unless the request waits for the lock of its object.
  /// Afterwards, the request stays in flight, and its object locked, for the rest of its duration.
  /// `otherMethod` is the method of the request if it is neither GET nor POST.
  [[nodiscard]] Exchange exchange(const HttpRequest& request, const SendLimits& limits,
                                  std::string_view otherMethod = {});

  /// Processes a request from a non-blocking sender: returns its outcome, or the time until which it waits
  /// for its object. The request arrives with the first call; later calls resume it. Takes no time on the
  /// clock.
  [[nodiscard]] std::variant<Exchange, Instant> proceed(Call& call);

  /// Ends a request whose sender disconnects while it waits.
  void abandon(Call& call);

  /// Parses a request. The result refers to it. For `otherMethod`, see exchange().
  [[nodiscard]] Arrival arrive(const HttpRequest& request, std::string_view otherMethod) const;

  /// Processes a request and returns only the response; empty if there is none.
  [[nodiscard]] HttpResponse handle(const HttpRequest& request);

  Account addAccount(AccountOptions accountOptions = {});

  [[nodiscard]] std::uint64_t hold(Hold hold);
  void release(std::uint64_t number);

  mutable std::mutex mutex{};
  const ServiceOptions options;
  const std::shared_ptr<VirtualClock> clock;
  const Catalog catalog;
  std::shared_ptr<State> state;

  /// Counts the copies with different keys of this service and of its copies.
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
  std::set<std::stop_source*> waiting_{};  // woken when a lock is released
  std::uint64_t lastHold_ = 0;
};

}  // namespace tally::fake::detail
