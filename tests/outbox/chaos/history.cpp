#include "outbox/chaos/history.h"

#include <algorithm>
#include <set>

#include <tally/fake/sent_request.h>

namespace tally::test {

History::History(const std::vector<fake::LoggedRequest>& log) {
  for (const fake::LoggedRequest& one : log) {
    if (!one.processed || !one.response || one.response->status != 200 || one.request.method != Method::post)
      continue;
    const std::string path = fake::sentPath(one.request);  // /v1/payment_records/pr_1/report_…
    const std::size_t report = path.find("/report_");
    if (report == std::string::npos) continue;
    const std::size_t object = path.rfind('/', report - 1) + 1;
    for (const fake::SentParam& param : fake::sentParams(one.request))
      if (param.name == "metadata[sequence]")
        effects_.push_back({.number = one.number,
                            .object = path.substr(object, report - object),
                            .sequence = std::stoull(param.value)});
  }
}

int History::effects(std::uint64_t sequence) const {
  return static_cast<int>(std::ranges::count(effects_, sequence, &Effect::sequence));
}

std::vector<std::uint64_t> History::doubled() const {
  std::map<std::uint64_t, int> times;
  for (const Effect& one : effects_)
    ++times[one.sequence];
  std::vector<std::uint64_t> found;
  for (const auto& [sequence, count] : times)
    if (count > 1) found.push_back(sequence);
  return found;
}

std::vector<std::string> History::outOfOrder() const {
  std::vector<std::string> found;
  std::map<std::string, std::uint64_t> last;
  std::set<std::uint64_t> seen;
  for (const Effect& one : effects_) {
    if (!seen.insert(one.sequence).second) continue;
    std::uint64_t& latest = last[one.object];
    if (one.sequence < latest)
      found.push_back(std::to_string(one.sequence) + " after " + std::to_string(latest));
    latest = std::max(latest, one.sequence);
  }
  return found;
}

}  // namespace tally::test
