#include "pace_lines.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace tally::detail {

bool PaceLines::ask(PaceTicket& ticket, Instant now, Woken& woken) {
  serve(now, woken);
  ticket.number = ++last_;
  goOn(ticket, now);
  return ticket.hasAll();
}

/// Nobody passes those who wait in a line already.
void PaceLines::goOn(PaceTicket& ticket, Instant now) {
  while (!ticket.hasAll()) {
    PacedCount& count = ticket.next();
    if (!count.line().empty() || !count.hasPlace(now)) {
      count.line().emplace(ticket.number, &ticket);
      lines_.insert(&count);
      ticket.waits = true;
      ++waiting_;
      return;
    }
    take(ticket, now);
  }
}

void PaceLines::take(PaceTicket& ticket, Instant now) {
  PaceTicket::Place& place = ticket.places[ticket.taken++];
  place.before = place.count->used(now);
  place.count->take();
}

/// Who goes on from one line waits in a later one, if at all; so once through all of them is enough.
void PaceLines::serve(Instant now, Woken& woken) {
  for (auto line = lines_.begin(); line != lines_.end();) {
    serveLine(**line, now, woken);
    line = (*line)->line().empty() ? lines_.erase(line) : std::next(line);
  }
}

void PaceLines::serveLine(PacedCount& count, Instant now, Woken& woken) {
  PacedCount::Line& line = count.line();
  while (!line.empty() && count.hasPlace(now)) {
    PaceTicket& ticket = *line.begin()->second;
    line.erase(line.begin());
    ticket.waits = false;
    --waiting_;
    take(ticket, now);
    goOn(ticket, now);
    if (ticket.hasAll()) woken.push_back(ticket.wake);
  }
  if (line.empty()) return;
  const PaceTicket& first = *line.begin()->second;
  const auto frees = count.frees(now);
  if (frees && *frees < first.sleepsUntil) woken.push_back(first.wake);
}

void PaceLines::withdraw(PaceTicket& ticket) {
  if (ticket.waits) leaveLine(ticket);
  for (; ticket.taken > 0; --ticket.taken)
    ticket.places[ticket.taken - 1].count->giveBack();
}

void PaceLines::leaveLine(PaceTicket& ticket) {
  PacedCount& count = ticket.next();
  count.line().erase(ticket.number);
  if (count.line().empty()) lines_.erase(&count);
  ticket.waits = false;
  --waiting_;
}

std::optional<Instant> PaceLines::wakeUp(const PaceTicket& ticket, Instant now) {
  PacedCount& count = ticket.next();
  if (count.line().begin()->second != &ticket) return std::nullopt;
  return count.frees(now);
}

/// How many stand before one in the middle of a line would have to be counted; those who have just come stand
/// at its end.
Instant PaceLines::earliest(const PaceTicket& ticket, Instant now) {
  PacedCount& count = ticket.next();
  const PacedCount::Line& line = count.line();
  const bool last = line.rbegin()->second == &ticket;
  return count.earliest(last ? static_cast<std::int64_t>(line.size()) - 1 : 0, now);
}

}  // namespace tally::detail
