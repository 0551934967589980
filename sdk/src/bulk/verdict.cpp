#include "bulk/verdict.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include <tally/error_codes.h>
#include <tally/report_check.h>

namespace tally::detail {

namespace {

using Next = Verdict::Next;

constexpr std::string_view wrongUrl = "the base URL is probably wrong";

/// Whether there is nothing of the service behind the URL, according to the service itself.
bool isUrlUnknown(const Error& error) {
  if (!error.isFromService()) return false;
  return error.status() == 405 ||
         (error.kind() == ErrorKind::notFound && error.code() == error_code::pathUnknown);
}

/// Whether a gateway, such as a firewall that inspects requests, refuses to forward this one.
bool isForbiddenByGateway(const Error& error) {
  return error.kind() == ErrorKind::permission && !error.isFromService();
}

/// Whether the error is about the client, or the way to the service, and not about one report.
bool concernsAll(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::invalidParameter:  // of the options, since the report has been checked
    case ErrorKind::authentication:
    case ErrorKind::exception:
      return true;
    case ErrorKind::permission:
      return !isForbiddenByGateway(error);
    case ErrorKind::connection:
      return error.failure() == TransportFailure::Kind::tls;
    default:
      return isUrlUnknown(error);
  }
}

/// Whether the object is unknown to the service.
bool isMissing(const Error& error) {
  return error.isFromService() && error.kind() == ErrorKind::notFound &&
         error.code() == error_code::resourceMissing;
}

/// Whether the service refuses the report itself, so that no later run can send it.
bool refusesReport(const Error& error) {
  return isMissing(error) ||
         (error.isFromService() && error.kind() == ErrorKind::invalidRequest && error.status() == 400);
}

std::string reasonOf(const Error& error) {
  std::string reason = error.toString();
  if (isUrlUnknown(error)) (reason += "; ") += wrongUrl;
  return reason;
}

Verdict later(ReportEnd end, const Error& error) {
  return {.end = end, .pending = true, .endsJob = concernsAll(error), .reason = reasonOf(error)};
}

Verdict retry(ReportEnd otherwise, const Error& error) {
  return {.next = Next::retry, .end = otherwise, .pending = true, .reason = reasonOf(error)};
}

/// Whether the error is about a parameter that all reports of the job have.
bool isAbout(ExtraParams extra, const Error& error) {
  return std::ranges::find(extra, error.param(), &Param::name) != extra.end();
}

/// The error of a request that had no effect.
Verdict withoutEffect(const Error& error, ExtraParams extra) {
  if (error.isRetryable() || isForbiddenByGateway(error)) return retry(ReportEnd::unsent, error);
  if (refusesReport(error) && !isAbout(extra, error))
    return {.end = ReportEnd::refused, .reason = error.toString()};
  Verdict verdict = later(ReportEnd::unsent, error);
  verdict.endsJob = verdict.endsJob || isAbout(extra, error);
  return verdict;
}

std::string inWords(const CheckFacts& facts) {
  std::ostringstream text;
  printCheck(text, facts.status, facts.isFinal, facts.resends, facts.noResendReason, facts.error);
  return std::move(text).str();
}

/// After a response or a failure that leaves the status of the report unknown.
Verdict withUnknownEffect(const Error& error) {
  if (error.kind() == ErrorKind::canceled || concernsAll(error)) return later(ReportEnd::unknown, error);
  return retry(ReportEnd::unknown, error);
}

Verdict afterFailedResend(const Error& error, ExtraParams extra) {
  if (error.effect() != Effect::none) return withUnknownEffect(error);
  Verdict verdict = withoutEffect(error, extra);
  // The first request may still arrive.
  if (verdict.end == ReportEnd::unsent) verdict.end = ReportEnd::unknown;
  return verdict;
}

/// How often a report is tried again while nothing shows that the service is there. Gateways are not ready
/// for seconds.
constexpr int mostTriesInVain = 3;

/// The object was read before the report, if there was no error.
Verdict afterRead(const BulkRow& row) {
  if (row.error) return afterFailedRead(*row.error);
  if (!row.isAboutOther(*row.object)) return {.next = Next::send};
  return {.end = ReportEnd::refused,
          .reason = "the object shows another attempt: " + std::string{row.attemptIn(*row.object)}};
}

/// Whether the report was applied to another attempt than intended.
bool hasHitOther(const BulkRow& row) {
  return row.isAboutOther(*row.object) ||
         (row.before && row.attemptIn(*row.before) != row.attemptIn(*row.object));
}

}  // namespace

Verdict afterFailedRead(const Error& error) {
  return withoutEffect(error, {});
}

Verdict afterFailedSend(const Error& error, ExtraParams extra) {
  if (error.effect() == Effect::none) return withoutEffect(error, extra);
  Verdict verdict = later(ReportEnd::unknown, error);
  verdict.next = Next::resolve;
  return verdict;
}

/// A failed read shows nothing about the report, and may be repeated. But if the object does not exist, a
/// later read can't show more.
Verdict afterFailedResolve(const Error& error) {
  if (isMissing(error))
    return {.end = ReportEnd::unknown,
            .reason = error.toString() + "; the report may have been sent while the object existed"};
  if (error.kind() == ErrorKind::responseTooLarge) return later(ReportEnd::unknown, error);
  return withUnknownEffect(error);
}

Verdict afterResolve(const CheckFacts& facts, ExtraParams extra) {
  if (facts.noResendReason == NoResendReason::applied) return {};
  if (facts.noResendReason == NoResendReason::failed) return afterFailedResend(facts.error.value(), extra);
  if (facts.noResendReason == NoResendReason::refused && facts.status == ReportStatus::notApplied)
    return {.end = ReportEnd::refused, .reason = inWords(facts)};
  return {.end = ReportEnd::unknown, .reason = inWords(facts)};
}

void Contact::callEnded(const std::optional<Error>& error) noexcept {
  made_ = made_ || !error || error->isFromService();
}

void Contact::review(Verdict& verdict, const Error& error, int failures) {
  const bool isForeign = error.kind() == ErrorKind::malformedResponse || isForbiddenByGateway(error);
  if (made_ || verdict.next != Next::retry || !isForeign) return;
  givenUp_ = givenUp_ || failures >= mostTriesInVain;
  if (!givenUp_) return;
  verdict.next = Next::end;
  verdict.endsJob = true;
  verdict.reason += "; no response has come from the service so far";
  if (!isForbiddenByGateway(error)) (verdict.reason += ": ") += wrongUrl;
}

Verdict Verdicts::afterCall(const BulkRow& row, bool stopping) {
  contact_.callEnded(row.error);
  Verdict verdict = afterCallOf(row, stopping);
  if (const Error* error = row.lastError()) {
    contact_.review(verdict, *error, row.failures);
    // That one account is not accessible says nothing about the reports for others.
    if (row.connectedAccount != nullptr && error->kind() == ErrorKind::permission && error->isFromService())
      verdict.endsJob = false;
  }
  if (verdict.next == Next::resolve && !row.isVisible()) {
    verdict.next = Next::end;
    verdict.pending = false;
  }
  return verdict;
}

Verdict Verdicts::afterCallOf(const BulkRow& row, bool stopping) const {
  switch (row.action) {
    case Action::read:
      return afterRead(row);
    case Action::send:
      return afterSend(row);
    case Action::resolve:
      break;
  }
  return afterResolution(row, stopping);
}

Verdict Verdicts::afterSend(const BulkRow& row) const {
  if (row.error) return afterFailedSend(*row.error, extra_);
  if (!hasHitOther(row)) return {};
  return {.end = ReportEnd::unknown,
          .reason = "applied to another attempt: " + std::string{row.attemptIn(*row.object)}};
}

Verdict Verdicts::afterResolution(const BulkRow& row, bool stopping) const {
  Verdict verdict = row.error ? afterFailedResolve(*row.error) : afterResolve(row.facts, extra_);
  // The read alone decides nothing now, but a later run may send the report.
  if (stopping && verdict.end == ReportEnd::unknown && row.facts.noResendReason == NoResendReason::checkOnly)
    verdict.pending = true;
  return verdict;
}

}  // namespace tally::detail
