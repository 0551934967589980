#include <tally/fake/tokens.h>

#include "engine/engine.h"

namespace tally::fake {

std::string Tokens::add(const Account& account, bool livemode) {
  return engine_->change()->accounts.addToken(account, nullptr, livemode);
}

std::string Tokens::add(const Account& platform, const Account& connected, bool livemode) {
  return engine_->change()->accounts.addToken(platform, &connected, livemode);
}

}  // namespace tally::fake
