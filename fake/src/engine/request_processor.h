#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <tally/fake/service.h>

#include "engine/guarded_state.h"
#include "engine/request_context.h"
#include "tables/catalog.h"

namespace tally::fake::detail {

/// Processes requests against the state that their context refers to. Has no lock and no state of its own: a
/// guard proves that the caller holds the lock and notes the change.
class RequestProcessor {
 public:
  /// Returns to `original` the indexes that a search made in `searched`, a copy of it. Called without the
  /// lock.
  using KeepIndexes = std::function<void(const Collection& original, Collection searched)>;
  using Change = GuardedState::Change;

  /// `options`, `catalog` and `clock` must outlive this.
  RequestProcessor(const ServiceOptions& options, const Catalog& catalog, const VirtualClock& clock,
                   KeepIndexes keepIndexes);

  /// Starts a request that arrives now.
  void enter(const Change& change, RequestContext& context, const SendLimits& limits) const;

  /// Checks in this order: key, path, faults injected on arrival, rate limits, read allocation, parameters,
  /// object lock, object. Returns nothing once the outcome is known, or the time until which the request
  /// waits for its object; call it again then or earlier.
  [[nodiscard]] std::optional<Instant> serve(const Change& change, RequestContext& context) const;

  /// Completes a request and logs it, except for the duration of its response, and for a deferred response.
  void leave(const Change& change, RequestContext& context) const;

  /// Writes the response, if there is one. Needs no lock.
  static void answer(RequestContext& context);

  /// Logs a deferred response that has been written.
  static void complete(const Change& change, const RequestContext& context);

  /// Ends a request whose sender disconnects while it waits, or that an exception ends.
  void abandon(const Change& change, RequestContext& context) const;

 private:
  [[nodiscard]] bool readRequestedFault(RequestContext& context) const;
  [[nodiscard]] bool admit(RequestContext& context) const;
  [[nodiscard]] std::string_view presentObject(const RequestContext& context) const;
  [[nodiscard]] std::optional<Instant> lockedUntil(const RequestContext& context) const;
  [[nodiscard]] Instant lockTimeout(const RequestContext& context) const;
  [[nodiscard]] bool wasFreeTooLate(const RequestContext& context) const;
  [[nodiscard]] bool endWaitIfOver(RequestContext& context) const;
  void beginWait(RequestContext& context) const;
  void endWait(const RequestContext& context) const;
  void process(RequestContext& context) const;
  [[nodiscard]] Response carryOut(const RequestContext& context) const;
  void noteCreation(const RequestContext& context, const std::string& body) const;
  [[nodiscard]] Instant endOf(const RequestContext& context) const;
  void holdUntilEnd(RequestContext& context) const;
  static void logAndAnswer(RequestContext& context, LoggedRequest* entry);

  const ServiceOptions& options_;
  const Catalog& catalog_;
  const VirtualClock& clock_;
  const KeepIndexes keepIndexes_;
  const std::uint64_t searchSecret_;
};

}  // namespace tally::fake::detail
