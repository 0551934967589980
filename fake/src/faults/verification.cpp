#include "faults/verification.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>

#include "text/suggestion.h"

namespace tally::fake::detail {

namespace {

/// How many requests match if all match that may.
std::uint64_t mostMatching(const Verification& verification) {
  return verification.matching.size() + verification.unknown + verification.dropped;
}

}  // namespace

Verifier::Candidate Verifier::candidateOf(LoggedRequest&& request, std::vector<Difference>&& found) const {
  Candidate candidate{.otherOperation =
                          !pattern_.operation.empty() && pattern_.operation != request.operation};
  for (const Difference& difference : found)
    candidate.dissimilarity += tally::detail::dissimilarity(difference.expected, difference.actual);
  candidate.miss = {.request = std::move(request), .differences = std::move(found)};
  return candidate;
}

bool Verifier::isCloser(const Candidate& a, const Candidate& b) {
  const auto rank = [](const Candidate& each) {
    return std::tuple{each.otherOperation, each.miss.differences.size(), each.dissimilarity,
                      -static_cast<double>(each.miss.request.number)};
  };
  return rank(a) < rank(b);
}

void Verifier::look(LoggedRequest&& request) {
  ++compared_;
  std::vector<Difference> found = differences(pattern_, request);
  if (found.empty()) {
    matching_.push_back(request.number);
    return;
  }
  if (areUnknown(found)) ++unknown_;
  Candidate candidate = candidateOf(std::move(request), std::move(found));
  closest_.insert(std::ranges::upper_bound(closest_, candidate, isCloser), std::move(candidate));
  if (closest_.size() > Verification::nearMissesKept) closest_.pop_back();
}

Verification Verifier::result(const Count& expected, std::uint64_t dropped) && {
  Verification verification{.pattern = std::move(pattern_),
                            .expected = expected,
                            .matching = std::move(matching_),
                            .compared = compared_,
                            .dropped = dropped,
                            .unknown = unknown_};
  verification.ok =
      expected.includes(verification.matching.size()) && mostMatching(verification) <= expected.most();
  if (verification.matching.size() < expected.least())
    for (Candidate& candidate : closest_)
      verification.nearMisses.push_back(std::move(candidate.miss));
  return verification;
}

}  // namespace tally::fake::detail

namespace tally::fake {

namespace {

std::string requestsIn(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " request" : " requests");
}

void printReason(std::ostream& out, const Verification& undecided) {
  out << "\nThe log can't decide this, because it lacks ";
  if (undecided.dropped != 0) out << requestsIn(undecided.dropped);
  if (undecided.dropped != 0 && undecided.unknown != 0) out << " and ";
  if (undecided.unknown != 0) out << "the responses of " << requestsIn(undecided.unknown);
  out << ", which may match. Clear the log before the requests that matter, or keep more: "
         "ServiceOptions::requestLog and requestLogBytes, or tally-fake --request-log and --request-log-mib.";
}

std::ostream& print(std::ostream& out, const NearMiss& miss, std::string_view beforeDifference) {
  out << miss.request;
  for (const Difference& difference : miss.differences)
    out << beforeDifference << difference;
  return out;
}

}  // namespace

bool Verification::isDecided() const noexcept {
  return ok || matching.size() > expected.most() || detail::mostMatching(*this) < expected.least();
}

std::ostream& operator<<(std::ostream& out, const NearMiss& value) {
  return print(out, value, "; ");
}

std::ostream& operator<<(std::ostream& out, const Verification& verification) {
  out << "expected " << verification.expected << " of " << verification.pattern << "; "
      << verification.matching.size() << " of the " << verification.compared << " logged requests match";
  if (verification.dropped != 0) out << " (the log has dropped " << verification.dropped << " others)";
  if (!verification.isDecided()) printReason(out, verification);
  for (const NearMiss& miss : verification.nearMisses)
    print(out << "\nclose: ", miss, "\n  ");
  return out;
}

}  // namespace tally::fake
