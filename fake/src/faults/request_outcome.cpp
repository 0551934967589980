#include <ostream>

#include <tally/fake/logged_request.h>
#include <tally/fake/request_outcome.h>

namespace tally::fake {

namespace {

/// Whether the fault keeps a whole response from arriving.
bool breaksResponse(Fault fault) {
  switch (fault) {
    case Fault::connectionRefused:
    case Fault::reset:
    case Fault::responseLost:
    case Fault::truncatedBody:
    case Fault::garbledBody:
      return true;
    case Fault::none:
    case Fault::emptyPage:
    case Fault::errorAfterProcessing:
      break;
  }
  return false;
}

}  // namespace

RequestOutcome outcomeOf(const LoggedRequest& request) noexcept {
  constexpr int firstError = 400;
  constexpr int tooMany = 429;
  constexpr int firstServerError = 500;
  if (request.status == 0 || breaksResponse(request.fault)) return RequestOutcome::unanswered;
  if (request.status < firstError) return RequestOutcome::succeeded;
  if (request.status >= firstServerError) return RequestOutcome::failed;
  const bool limited = request.status == tooMany || !request.limit.empty();
  return limited ? RequestOutcome::limited : RequestOutcome::refused;
}

std::string_view toString(RequestOutcome outcome) noexcept {
  switch (outcome) {
    case RequestOutcome::succeeded:
      return "succeeded";
    case RequestOutcome::limited:
      return "limited";
    case RequestOutcome::refused:
      return "refused";
    case RequestOutcome::failed:
      return "failed";
    case RequestOutcome::unanswered:
      break;
  }
  return "unanswered";
}

std::ostream& operator<<(std::ostream& out, RequestOutcome outcome) {
  return out << toString(outcome);
}

}  // namespace tally::fake
