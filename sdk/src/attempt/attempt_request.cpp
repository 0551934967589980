#include "attempt/attempt_request.h"

#include <new>
#include <string>
#include <utility>

#include <tally/observer.h>

#include "options/options_check.h"
#include "text/ascii.h"
#include "text/call_mark.h"
#include "text/find_header.h"
#include "text/random.h"
#include "wire.h"

namespace tally::detail {

namespace {

/// Asks the provider and puts its key into the request. The exception may contain a key, so it is not
/// repeated.
std::optional<ParameterFault> renewKey(const ApiKeyProvider& provider, HttpRequest& request) {
  ApiKey key;
  try {
    key = provider();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    return ParameterFault{"apiKeyProvider", "threw an exception"};
  }
  if (key.empty()) return ParameterFault{"apiKeyProvider", "returned an empty key"};
  if (!isHeaderText(key.reveal()))
    return ParameterFault{"apiKeyProvider", "returned a key with a line break or a control character"};
  setKey(request, key.reveal());
  return std::nullopt;
}

/// The pacer and the counts of reads have gone by the key and the account of the call.
std::optional<ParameterFault> checkAdded(const std::vector<Header>& headers) {
  for (const std::string_view name : {std::string_view{"Authorization"}, header::connectedAccount})
    if (findHeader(headers, name) != nullptr)
      return ParameterFault{"attemptHeaders", "can't contain " + std::string{name}};
  return checkHeaders("attemptHeaders", headers);
}

/// The number of a call, which differs for each seed. Does not advance the jitter.
std::uint64_t callOf(std::uint64_t jitterSeed) {
  constexpr std::uint64_t stream = 0x74616C6C795F6964U;
  std::uint64_t state = jitterSeed ^ stream;
  return nextRandom(state);
}

}  // namespace

std::optional<ParameterFault> AttemptRenewal::renew(HttpRequest& request, CallReport& report, Instant now) {
  if (!own_.empty()) {
    wipeKey(request.headers);
    request.headers = std::exchange(own_, {});
  }
  if (provider_ != nullptr)
    if (auto fault = renewKey(*provider_, request)) return fault;
  if (marks_) setHeader(request.headers, callHeader, callMark(callOf(jitterSeed_), report.nextAttempt()));
  return headers_ == nullptr ? std::nullopt : addHeaders(request, report.upcoming(now));
}

std::optional<ParameterFault> AttemptRenewal::addHeaders(HttpRequest& request, const Event& attempt) {
  std::vector<Header> added;
  try {
    added = (*headers_)(attempt);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    return ParameterFault{"attemptHeaders", "threw an exception"};
  }
  if (added.empty()) return std::nullopt;
  if (auto fault = checkAdded(added)) return fault;
  own_ = request.headers;
  for (Header& header : added)
    setHeader(request.headers, header.name, std::move(header.value));
  return std::nullopt;
}

}  // namespace tally::detail
