#include "findings/report.h"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "tables/utf8.h"
#include "text/readable.h"

namespace tally::fake::detail {

namespace json = boost::json;

namespace {

std::string times(std::uint64_t count, std::uint64_t first) {
  if (count == 1) return "request " + std::to_string(first);
  return std::to_string(count) + " times, first in request " + std::to_string(first);
}

std::string contradicted(const Rule& rule) {
  if (rule.assumption == nullptr) return "contradicts the specification";
  return "refutes " + std::string{rule.assumption->key} + ", " + std::string{rule.assumption->point};
}

/// Text from the recording may be anything.
std::string inOneLine(std::string_view text) {
  std::string line;
  tally::detail::appendReadable(line, text);
  return line;
}

std::string_view s(std::uint64_t count) {
  return count == 1 ? "" : "s";
}

void writeSummary(std::ostream& out, const RequestTotals& totals, std::size_t open, std::size_t accepted) {
  out << totals.compared << " of " << totals.recorded << " request" << s(totals.recorded) << " compared: ";
  if (open == 0) out << "no difference";
  if (open != 0) out << open << " difference" << s(open);
  if (accepted != 0) out << ", " << accepted << " accepted";
  out << '\n';
}

json::object jsonOf(const Deviation& deviation, bool accepted) {
  json::object written{{"kind", "difference"},
                       {"id", deviation.id},
                       {"section", deviation.rule.section},
                       {"assumption", nullptr},
                       {"text", asUtf8(deviation.text)},
                       {"count", deviation.count},
                       {"first_request", deviation.firstRequest},
                       {"accepted", accepted}};
  if (const Assumption* assumption = deviation.rule.assumption)
    written["assumption"] = {
        {"key", assumption->key}, {"point", assumption->point}, {"choice", assumption->choice}};
  return written;
}

}  // namespace

std::size_t writeText(std::ostream& out, const Findings& findings, const RequestTotals& totals,
                      Accepted& accepted) {
  std::string_view section;
  std::size_t open = 0;
  std::size_t known = 0;
  const std::vector<Deviation> differences = findings.differences();
  for (const Deviation& deviation : differences) {
    if (accepted.accepts(deviation.id)) {
      ++known;
      continue;
    }
    ++open;
    if (deviation.rule.section != section) out << deviation.rule.section << '\n';
    section = deviation.rule.section;
    out << "  " << deviation.id << ": " << inOneLine(deviation.text) << " ("
        << times(deviation.count, deviation.firstRequest) << "); " << contradicted(deviation.rule) << '\n';
  }
  if (!findings.unjudged().empty()) out << "Can't be judged from the recording\n";
  for (const Unjudged& unjudged : findings.unjudged())
    out << "  " << inOneLine(unjudged.text) << " (" << times(unjudged.count, unjudged.firstRequest) << ")\n";
  const std::vector<std::string> gone = accepted.gone();
  if (!gone.empty()) out << "Accepted, but did not occur\n";
  for (const std::string& id : gone)
    out << "  " << id << '\n';
  writeSummary(out, totals, open, known);
  return open;
}

std::size_t writeJsonLines(std::ostream& out, const Findings& findings, const RequestTotals& totals,
                           Accepted& accepted) {
  std::size_t open = 0;
  std::size_t known = 0;
  for (const Deviation& deviation : findings.differences()) {
    const bool isAccepted = accepted.accepts(deviation.id);
    ++(isAccepted ? known : open);
    out << json::serialize(jsonOf(deviation, isAccepted)) << '\n';
  }
  for (const Unjudged& unjudged : findings.unjudged())
    out << json::serialize(json::object{{"kind", "not_judged"},
                                        {"text", asUtf8(unjudged.text)},
                                        {"count", unjudged.count},
                                        {"first_request", unjudged.firstRequest}})
        << '\n';
  for (const std::string& id : accepted.gone())
    out << json::serialize(json::object{{"kind", "accepted_but_gone"}, {"id", id}}) << '\n';
  out << json::serialize(json::object{{"kind", "summary"},
                                      {"recorded", totals.recorded},
                                      {"compared", totals.compared},
                                      {"differences", open},
                                      {"accepted", known}})
      << '\n';
  return open;
}

}  // namespace tally::fake::detail
