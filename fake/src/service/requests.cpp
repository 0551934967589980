#include <algorithm>
#include <ostream>
#include <utility>

#include <tally/fake/requests.h>

#include "engine/engine.h"
#include "faults/summarizer.h"
#include "faults/verification.h"
#include "service/input_check.h"
#include "service/log_recording.h"

namespace tally::fake {

namespace {

constexpr std::size_t readAtOnce = 256;  // under one lock, so that the service is not held up

/// A pattern for an unknown operation would never match.
void checkOperation(const detail::Engine& engine, const RequestPattern& pattern) {
  if (!pattern.operation.empty()) (void)operationNamed(engine.catalog(), pattern.operation);
}

/// Calls `look` with the present requests of the log, oldest first, until it returns false. Copies them in
/// parts.
template <class Look>
void forEach(const detail::Engine& engine, const RequestPattern& pattern, std::uint64_t after,
             const Look& look) {
  checkOperation(engine, pattern);
  const std::uint64_t last = engine.read()->log.last();
  while (after < last) {
    std::vector<LoggedRequest> part = engine.read()->log.entries(after, readAtOnce);
    if (part.empty()) return;
    after = part.back().number;
    for (LoggedRequest& request : part)
      if (request.number > last || !look(request)) return;
  }
}

}  // namespace

std::vector<LoggedRequest> Requests::list(std::uint64_t after, std::size_t limit) const {
  return engine_->read()->log.entries(after, limit);
}

std::size_t Requests::count(const RequestPattern& pattern) const {
  std::size_t count = 0;
  forEach(*engine_, pattern, 0, [&](const LoggedRequest& request) {
    if (matches(pattern, request)) ++count;
    return true;
  });
  return count;
}

std::vector<LoggedRequest> Requests::matching(const RequestPattern& pattern, std::uint64_t after,
                                              std::size_t limit) const {
  std::vector<LoggedRequest> found;
  forEach(*engine_, pattern, after, [&](LoggedRequest& request) {
    if (found.size() < limit && matches(pattern, request)) found.push_back(std::move(request));
    return found.size() < limit;
  });
  return found;
}

std::vector<LoggedRequest> Requests::latest(const RequestPattern& pattern, std::size_t limit,
                                            std::uint64_t before) const {
  checkOperation(*engine_, pattern);
  std::vector<LoggedRequest> found;
  for (bool more = true; more && found.size() < limit;) {
    const auto reading = engine_->read();
    const detail::RequestLog& log = reading->log;
    before = std::min(before, log.last() + 1);
    const std::uint64_t end = std::max(log.first(), before - std::min<std::uint64_t>(before, readAtOnce));
    while (before > end && found.size() < limit)
      if (const LoggedRequest& request = *log.find(--before); matches(pattern, request))
        found.push_back(request);
    more = before > log.first();
  }
  std::ranges::reverse(found);
  return found;
}

RequestSummary Requests::summary(const RequestPattern& pattern, std::size_t spans) const {
  checkOperation(*engine_, pattern);
  std::optional<detail::Summarizer> summarizer;
  std::uint64_t next = 0;
  std::uint64_t last = engine_->read()->log.last();
  while (next <= last) {
    const auto reading = engine_->read();
    const detail::RequestLog& log = reading->log;
    next = std::max(next, log.first());
    last = std::min(last, log.last());
    if (next > last) break;
    if (!summarizer) summarizer.emplace(pattern, spans, log.find(next)->time, log.find(last)->time);
    const std::uint64_t end = std::min(last, next + readAtOnce - 1);
    for (; next <= end; ++next)
      summarizer->look(*log.find(next));
  }
  return summarizer ? std::move(*summarizer).result() : RequestSummary{};
}

/// Asks last what was dropped, so that nothing is missed that is dropped meanwhile.
Verification Requests::verify(const RequestPattern& pattern, const Count& expected,
                              std::uint64_t after) const {
  detail::Verifier verifier{pattern};
  forEach(*engine_, pattern, after, [&](LoggedRequest& request) {
    verifier.look(std::move(request));
    return true;
  });
  return std::move(verifier).result(expected, engine_->read()->log.dropped(after));
}

void Requests::writeHar(std::ostream& out, const RequestPattern& pattern, std::uint64_t after,
                        std::size_t limit) const {
  detail::LogRecording recording{*this, pattern, after, limit};
  while (const auto piece = recording.next())
    out << *piece;
}

void Requests::clear() {
  engine_->change()->log.clear();
}

std::size_t Requests::size() const {
  return engine_->read()->log.size();
}

std::uint64_t Requests::droppedCount() const {
  return engine_->read()->log.dropped(0);
}

std::uint64_t Requests::lastNumber() const {
  return engine_->read()->log.last();
}

}  // namespace tally::fake
