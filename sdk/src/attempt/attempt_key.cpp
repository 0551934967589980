#include "attempt/attempt_key.h"

#include <new>
#include <string>

#include "text/ascii.h"

namespace tally::detail {

/// The exception may contain a key, so it is not repeated.
std::optional<ParameterFault> renewKey(const ApiKeyProvider& provider, HttpRequest& request) {
  ApiKey key;
  try {
    key = provider();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    return ParameterFault{"apiKeyProvider", "has thrown an exception"};
  }
  if (key.empty()) return ParameterFault{"apiKeyProvider", "has returned an empty key"};
  if (!isHeaderText(key.reveal()))
    return ParameterFault{"apiKeyProvider", "has returned a key with a line break or a control character"};
  setKey(request, key.reveal());
  return std::nullopt;
}

}  // namespace tally::detail
