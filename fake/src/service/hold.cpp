#include <ostream>

#include <tally/fake/hold.h>

#include "engine/engine.h"

namespace tally::fake {

void Hold::release() noexcept {
  if (const auto engine = engine_.lock()) engine->release(number_);
  engine_.reset();
}

std::optional<HeldThing> Hold::held() const {
  const auto engine = engine_.lock();
  return engine ? engine->held(number_) : std::nullopt;
}

std::ostream& operator<<(std::ostream& out, const HeldThing& value) {
  if (value.places == 0) {
    out << "the lock of " << value.object;
  } else {
    out << value.places << (value.places == 1 ? " place" : " places") << " of "
        << (value.operation.empty() ? "any operation" : value.operation);
  }
  out << " of " << value.account << (value.livemode ? " in live mode" : " in the sandbox");
  if (value.until) out << " until " << tally::toString(*value.until);
  return out;
}

}  // namespace tally::fake
