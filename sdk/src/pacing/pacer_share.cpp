#include <ostream>

#include <tally/pacer_share.h>

#include "print/value_line.h"

namespace [[gnu::visibility("default")]] tally {

using detail::ValueLine;

std::ostream& operator<<(std::ostream& out, const ShareProcess& value) {
  return out << ValueLine{"ShareProcess"}
                    .add("process", value.process)
                    .add("beat", value.beat)
                    .add("lease", value.lease);
}

std::ostream& operator<<(std::ostream& out, const ShareClaim& value) {
  return out << ValueLine{"ShareClaim"}
                    .add("limit", value.limit)
                    .add("total", value.total)
                    .add("want", value.want)
                    .add("units", value.units)
                    .add("freedBefore", value.freedBefore);
}

std::ostream& operator<<(std::ostream& out, const SharePart& value) {
  return out << ValueLine{"SharePart"}
                    .add("limit", value.limit)
                    .add("process", value.process)
                    .add("want", value.want)
                    .add("units", value.units);
}

std::ostream& operator<<(std::ostream& out, const SharePool& value) {
  return out << ValueLine{"SharePool"}.add("limit", value.limit).add("freed", value.freed);
}

std::ostream& operator<<(std::ostream& out, const ShareRequest& value) {
  return out << ValueLine{"ShareRequest"}
                    .add("self", value.self)
                    .add("claims", value.claims)
                    .add("vanished", value.vanished)
                    .add("leaving", value.leaving);
}

std::ostream& operator<<(std::ostream& out, const ShareReply& value) {
  return out << ValueLine{"ShareReply"}
                    .add("processes", value.processes)
                    .add("parts", value.parts)
                    .add("pools", value.pools);
}

std::ostream& operator<<(std::ostream& out, const PacerShareState& value) {
  return out << ValueLine{"PacerShareState"}
                    .add("processes", value.processes)
                    .add("heldUntil", value.heldUntil)
                    .add("problem", value.problem);
}

}  // namespace tally
