#include "engine/engine.h"

#include <algorithm>
#include <new>
#include <utility>

namespace tally::fake::detail {

Engine::Engine(const ServiceOptions& options) : Engine(options, catalogOfTheApi()) {}

Engine::Engine(const ServiceOptions& options, const Description& description)
    : Engine(options, std::make_shared<const Catalog>(description)) {}

Engine::Engine(const ServiceOptions& options, std::shared_ptr<const Catalog> catalog)
    : options_(options),
      clock_(std::make_shared<VirtualClock>(options.start, changes_)),
      sharedCatalog_(std::move(catalog)),
      catalog_(*sharedCatalog_),
      processor_(options_, catalog_, *clock_,
                 [this](const Collection& original, Collection searched) {
                   keepIndexes(original, std::move(searched));
                 }),
      state_(std::make_shared<ServiceState>(options, catalog_.description()), *changes_) {}

void Engine::settle() {
  if (const Instant now = clock_->now(); read()->scripts.limitsDue() <= now) change()->settle(catalog_, now);
}

ScheduledResult Engine::exchange(const HttpRequest& request, const SendLimits& limits,
                                 std::string_view otherMethod) {
  const Arrival arrival = arrive(catalog_, request, otherMethod);
  RequestContext context{.arrival = arrival, .blocks = true};
  try {
    Change change = state_.change();
    processor_.enter(change, context, limits);
    while (const auto until = processor_.serve(change, context))
      waitUntil(*until, change, context);
    processor_.leave(change, context);
  } catch (...) {
    abandon(context);
    throw;
  }
  return resultOf(std::move(context));
}

std::variant<ScheduledResult, Instant> Engine::proceed(ResumableRequest& request) {
  RequestContext& context = request.context;
  try {
    const Change change = state_.change();
    if (!context.state) processor_.enter(change, context, request.limits);
    change.endWait(context.turn);
    if (const auto until = processor_.serve(change, context)) {
      if (request.wake) change.beginWait(context.turn, *request.wake);
      return *until;
    }
    processor_.leave(change, context);
  } catch (...) {
    abandon(context);
    throw;
  }
  return resultOf(std::move(context));
}

void Engine::abandon(RequestContext& context) noexcept {
  if (!context.state) return;
  try {
    const Change change = state_.change();
    change.endWait(context.turn);
    processor_.abandon(change, context);
  } catch (const std::bad_alloc&) {  // then the log lacks this entry
  }
  context.state.reset();
}

/// Waits until `time`, until a lock is released, or until the caller cancels.
void Engine::waitUntil(Instant time, Change& change, RequestContext& context) {
  StopSource wake;
  const StopCallback canceled{context.stop, [&wake] { wake.request_stop(); }};
  change.beginWait(context.turn, wake);
  change.withoutLock([&] { clock_->passUntil(time, wake.get_token()); });
  change.endWait(context.turn);
}

/// Writes a deferred response, and adds it to the log.
void Engine::answerLate(RequestContext& context) {
  RequestProcessor::answer(context);
  RequestProcessor::complete(state_.change(), context);
}

/// Call without holding the lock, since deferred responses take long.
ScheduledResult Engine::resultOf(RequestContext&& context) {
  if (context.isDeferred()) answerLate(context);
  const AnyOperation* operation = context.arrival.route.operation;
  ScheduledResult timed{.due = std::min(context.end, context.until),
                        .clock = clock_,
                        .latency = context.rule.latency,
                        .operation = operation == nullptr ? std::string_view{} : operation->name,
                        .limit = context.limit,
                        .fault = context.faultName()};
  if (context.failure) {
    timed.result = *std::move(context.failure);
  } else {
    timed.result = *std::move(context.sent);
    timed.chunks = context.rule.chunks;
    timed.pause = context.rule.pause;
  }
  return timed;
}

/// Updates the indexes with changes made during the search. Only the last few changes are applied under the
/// lock. If changes arrive faster than that, the next search creates the indexes again.
void Engine::keepIndexes(const Collection& original, Collection searched) const {
  constexpr std::size_t little = 64;
  constexpr int rounds = 8;
  for (int round = 0; round < rounds; ++round) {
    Collection present;
    {
      const Reading reading = state_.read();
      if (original.keepIndexes(searched, little)) return;
      present = original;
    }
    (void)present.keepIndexes(searched, present.size());
    searched = std::move(present);
  }
}

std::shared_ptr<Engine> Engine::sibling() const {
  auto other = std::shared_ptr<Engine>{new Engine{options_, sharedCatalog_}};
  other->branches_ = branches_;
  return other;
}

}  // namespace tally::fake::detail
