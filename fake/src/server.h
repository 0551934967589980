#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string_view>
#include <variant>
#include <vector>

#include <tally/fake/service.h>

#include "catalog.h"
#include "state.h"
#include "visit.h"

namespace tally::fake::detail {

/// What became of a request, and when whoever sent it knows.
struct Exchange {
  std::variant<HttpResponse, TransportFailure> result{};
  Instant end{};
  Instant until{};  // for so long the sender waits for it
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

 private:
  using Lock = std::unique_lock<std::mutex>;

  [[nodiscard]] Arrival arrive(const HttpRequest& request, std::string_view otherMethod) const;
  void serve(Visit& visit, State& current, Lock& lock);
  [[nodiscard]] bool isKnown(Visit& visit, State& current) const;
  [[nodiscard]] bool isScripted(Visit& visit, State& current) const;
  [[nodiscard]] bool isAdmitted(Visit& visit, State& current) const;
  [[nodiscard]] bool awaitObject(Visit& visit, Lock& lock);
  void waitUntil(Instant time, Lock& lock, const std::stop_token& stop);
  void process(Visit& visit, State& current) const;
  [[nodiscard]] Answer carryOut(const Visit& visit, State& current) const;
  void noteCreation(const Visit& visit, State& current, const std::string& id) const;
  void settle(const Visit& visit, Instant end) const;
  [[nodiscard]] Instant endOf(const Visit& visit, const State& current) const;
  [[nodiscard]] Applicant applicantOf(const Visit& visit) const;

  const std::uint64_t searchSecret_;
  std::set<std::stop_source*> waiting_{};  // to be woken when a lock is released
  std::uint64_t lastHold_ = 0;
};

}  // namespace tally::fake::detail
