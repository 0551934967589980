#include <utility>

#include <tally/client.h>

#include "call/client_core.h"
#include "call/raw_call.h"

namespace [[gnu::visibility("default")]] tally {

Client::Client(ClientOptions options)
    : Services(std::make_shared<const detail::ClientCore>(std::move(options))) {}

Result<RawResponse> Client::send(const RawRequest& request, const RequestOptions& options) const {
  return detail::send(core(), request, options);
}

Clock& Client::clock() const noexcept {
  return core().clock();
}

MutationCounts Client::mutations() const {
  return core().mutations();
}

ReadsUsed Client::readsUsed() const {
  return core().readsUsed();
}

}  // namespace tally
