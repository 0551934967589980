#include "pacing/pacing_queue.h"

#include <algorithm>
#include <iterator>

#include "pacing/reservation.h"

namespace tally::detail {

bool PacingQueue::ask(PaceTicket& ticket, Instant now, PaceWoken& woken) noexcept {
  serve(now, woken);
  ticket.number = ++last_;
  goOn(ticket, now);
  return ticket.units.hasAll();
}

/// A ticket never overtakes those already queued.
void PacingQueue::goOn(PaceTicket& ticket, Instant now) noexcept {
  while (!ticket.units.hasAll()) {
    LimitTracker& count = ticket.units.next();
    if (!count.line().empty() || !count.hasUnit(now)) {
      enterLine(ticket, count);
      return;
    }
    ticket.units.take(now);
  }
}

/// A ticket that leaves one queue can only join a later one, so a single pass suffices.
void PacingQueue::serve(Instant now, PaceWoken& woken) noexcept {
  for (auto line = lines_.begin(); line != lines_.end();) {
    LimitTracker& count = *line;
    serveLine(count, now, woken);
    ++line;  // only now: serving may have inserted the next one
    if (count.line().empty()) lines_.erase(lines_.iterator_to(count));
  }
}

void PacingQueue::serveLine(LimitTracker& count, Instant now, PaceWoken& woken) noexcept {
  TicketQueue& line = count.line();
  while (!line.empty()) {
    PaceTicket& ticket = line.first();
    const bool needsLess = ticket.units.excludeIfImpossible(now);
    if (!needsLess && !count.hasUnit(now)) break;
    line.leave(ticket);
    ticket.waits = false;
    --waiting_;
    if (!needsLess) ticket.units.take(now);
    goOn(ticket, now);
    if (ticket.units.hasAll()) woken.add(ticket.wake);
  }
  if (line.empty()) return;
  const PaceTicket& first = line.first();
  const auto frees = count.frees(now);
  if (frees && *frees < first.sleepsUntil) woken.add(first.wake);
}

void PacingQueue::askAnew(PaceTicket& ticket, Instant now, PaceWoken& woken) noexcept {
  withdraw(ticket);
  (void)ticket.units.excludeIfImpossible(now);
  serve(now, woken);
  goOn(ticket, now);
}

void PacingQueue::withdraw(PaceTicket& ticket) noexcept {
  if (ticket.waits) leaveLine(ticket, ticket.units.next());
  ticket.units.release();
}

void PacingQueue::enterLine(PaceTicket& ticket, LimitTracker& count) noexcept {
  count.line().join(ticket);
  count.noteWait();
  if (!count.inQueue.is_linked()) lines_.insert(count);
  ticket.waits = true;
  ++waiting_;
}

void PacingQueue::leaveLine(PaceTicket& ticket, LimitTracker& count) noexcept {
  count.line().leave(ticket);
  if (count.line().empty()) lines_.erase(lines_.iterator_to(count));
  ticket.waits = false;
  --waiting_;
}

std::optional<Instant> PacingQueue::wakeUp(const PaceTicket& ticket, Instant now) {
  LimitTracker& count = ticket.units.next();
  if (&count.line().first() != &ticket) return std::nullopt;
  return count.frees(now);
}

/// Only the last ticket of a queue, where new ones are, gets the bound of its position. Any other gets that
/// of the first: finding its position would mean counting.
Instant PacingQueue::earliest(const PaceTicket& ticket, Instant now) {
  LimitTracker& count = ticket.units.next();
  const TicketQueue& line = count.line();
  const bool last = &line.last() == &ticket;
  return std::max(count.earliest(last ? static_cast<std::int64_t>(line.size()) - 1 : 0, now),
                  count.freesAtBest(now, ticket.units.ownOfNext()));
}

}  // namespace tally::detail
