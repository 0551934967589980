#include "bulk/verdict.h"

#include <sstream>
#include <utility>

#include <tally/report_check.h>

namespace tally::detail {

namespace {

using Next = Verdict::Next;

/// Whether the error is about the client and not about one report.
bool concernsAll(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::invalidParameter:  // of the options, since the report has been checked
    case ErrorKind::authentication:
    case ErrorKind::permission:
    case ErrorKind::exception:
      return true;
    default:
      return false;
  }
}

Verdict later(ReportEnd end, const Error& error) {
  return {.end = end, .open = true, .endsJob = concernsAll(error), .reason = error.toString()};
}

Verdict retry(ReportEnd otherwise, const Error& error) {
  return {.next = Next::retry, .end = otherwise, .open = true, .reason = error.toString()};
}

/// The error of a request that had no effect.
Verdict withoutEffect(const Error& error) {
  if (error.isRetryable()) return retry(ReportEnd::unsent, error);
  if (error.kind() == ErrorKind::canceled || concernsAll(error)) return later(ReportEnd::unsent, error);
  return {.end = ReportEnd::refused, .reason = error.toString()};
}

std::string inWords(const CheckFacts& facts) {
  std::ostringstream text;
  printCheck(text, facts.status, facts.isFinal, facts.resends, facts.stopReason, facts.error);
  return std::move(text).str();
}

Verdict afterFailedResend(const CheckFacts& facts) {
  const Error& error = facts.error.value();
  if (error.effect() == Effect::none) {
    Verdict verdict = withoutEffect(error);
    // The first request may still arrive.
    if (verdict.end == ReportEnd::unsent) verdict.end = ReportEnd::unknown;
    return verdict;
  }
  return error.kind() == ErrorKind::canceled ? later(ReportEnd::unknown, error)
                                             : retry(ReportEnd::unknown, error);
}

}  // namespace

Verdict afterFailedRead(const Error& error) {
  return withoutEffect(error);
}

Verdict afterFailedSend(const Error& error) {
  if (error.effect() == Effect::none) return withoutEffect(error);
  return {.next = Next::resolve, .end = ReportEnd::unknown, .open = true, .reason = error.toString()};
}

Verdict afterFailedResolve(const Error& error) {
  if (error.kind() == ErrorKind::canceled || concernsAll(error)) return later(ReportEnd::unknown, error);
  if (error.kind() == ErrorKind::notFound) return {.end = ReportEnd::unknown, .reason = error.toString()};
  return retry(ReportEnd::unknown, error);
}

Verdict afterResolve(const CheckFacts& facts) {
  if (facts.stopReason == StopReason::applied) return {};
  if (facts.stopReason == StopReason::failed) return afterFailedResend(facts);
  if (facts.stopReason == StopReason::refused && facts.status == ReportStatus::notApplied)
    return {.end = ReportEnd::refused, .reason = inWords(facts)};
  return {.end = ReportEnd::unknown, .reason = inWords(facts)};
}

}  // namespace tally::detail
