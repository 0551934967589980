#include <utility>

#include <tally/client.h>

#include "call/core.h"

namespace tally {

Client::Client(ClientOptions options) : Services(std::make_shared<const detail::Core>(std::move(options))) {}

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
