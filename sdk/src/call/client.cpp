#include <utility>

#include <tally/client.h>

#include "call/client_core.h"

namespace tally {

Client::Client(ClientOptions options)
    : Services(std::make_shared<const detail::ClientCore>(std::move(options))) {}

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
