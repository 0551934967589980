#include <tally/fake/connections.h>

#include "engine/engine.h"
#include "objects/account_objects.h"

namespace tally::fake {

void Connections::connect(const Account& platform, const Account& connected) {
  detail::connectAccounts(engine_->catalog(), engine_->change()->accounts, platform, connected,
                          engine_->clock()->now());
}

}  // namespace tally::fake
