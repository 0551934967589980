#include <ostream>
#include <utility>

#include <tally/fake/requests.h>

#include "engine/engine.h"
#include "faults/verification.h"
#include "service/input_check.h"
#include "service/log_recording.h"

namespace tally::fake {

namespace {

/// Calls `look` with the present requests of the log, oldest first, until it returns false. Copies them in
/// parts, so that the service is not held up. A pattern for an unknown operation would never match.
template <class Look>
void forEach(const detail::Engine& engine, const RequestPattern& pattern, std::uint64_t after,
             const Look& look) {
  if (!pattern.operation.empty()) (void)operationNamed(engine.catalog(), pattern.operation);
  constexpr std::size_t atOnce = 256;
  const std::uint64_t last = engine.read()->log.last();
  while (after < last) {
    std::vector<LoggedRequest> part = engine.read()->log.entries(after, atOnce);
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
