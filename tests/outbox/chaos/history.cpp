#include "outbox/chaos/history.h"

#include <algorithm>
#include <set>
#include <utility>

#include <tally/fake/sent_request.h>

namespace tally::test {

namespace {

std::string senderOf(const HttpRequest& request) {
  const auto hosts = fake::sentHeaders(request, "Host");
  return hosts.empty() ? std::string{} : hosts.front();
}

/// 0 if it is no report that is numbered.
std::uint64_t sequenceOf(const HttpRequest& request) {
  if (fake::sentPath(request).find("/report_") == std::string::npos) return 0;
  for (const fake::SentParam& param : fake::sentParams(request))
    if (param.name == "metadata[sequence]") return std::stoull(param.value);
  return 0;
}

}  // namespace

History::History(const std::vector<fake::LoggedRequest>& log) {
  for (const fake::LoggedRequest& one : log) {
    if (!one.response || one.response->status != 200) continue;
    Request request{.number = one.number, .sender = senderOf(one.request), .object = one.object};
    if (one.request.method == Method::get) {
      reads_.push_back(std::move(request));
      continue;
    }
    request.sequence = one.processed ? sequenceOf(one.request) : 0;
    if (request.sequence != 0) effects_.push_back(std::move(request));
  }
}

std::size_t History::senders() const {
  std::set<std::string> found;
  for (const Request& one : effects_)
    found.insert(one.sender);
  return found.size();
}

int History::effects(std::uint64_t sequence) const {
  return static_cast<int>(std::ranges::count(effects_, sequence, &Request::sequence));
}

std::vector<std::uint64_t> History::appliedRepeatedly() const {
  std::map<std::uint64_t, int> times;
  for (const Request& one : effects_)
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
  for (const Request& one : effects_) {
    if (!seen.insert(one.sequence).second) continue;
    std::uint64_t& latest = last[one.object];
    if (one.sequence < latest)
      found.push_back(std::to_string(one.sequence) + " after " + std::to_string(latest));
    latest = std::max(latest, one.sequence);
  }
  return found;
}

bool History::hasRead(const Request& sender, const Request& since) const {
  return std::ranges::any_of(reads_, [&](const Request& read) {
    return read.object == sender.object && read.sender == sender.sender && read.number > since.number &&
           read.number < sender.number;
  });
}

bool History::isLaterBetween(const Request& first, const Request& again) const {
  return std::ranges::any_of(effects_, [&](const Request& one) {
    return one.object == first.object && one.sequence > first.sequence && one.number > first.number &&
           one.number < again.number;
  });
}

std::vector<History::Repetition> History::repetitions() const {
  std::vector<Repetition> found;
  std::map<std::uint64_t, const Request*> last;  // by sequence
  for (const Request& one : effects_) {
    const Request* const before = std::exchange(last[one.sequence], &one);
    if (before == nullptr) continue;
    found.push_back({.sequence = one.sequence,
                     .object = one.object,
                     .isDeliberate = before->sender == one.sender || hasRead(one, *before),
                     .isOverLater = isLaterBetween(*before, one)});
  }
  return found;
}

}  // namespace tally::test
