#include "event/departure.h"

#include <utility>

namespace tally::detail {

namespace {

thread_local DepartureListener* presentListener = nullptr;

}  // namespace

DepartureScope::DepartureScope(DepartureListener* listener) noexcept
    : outer_(std::exchange(presentListener, listener)) {}

DepartureScope::~DepartureScope() {
  presentListener = outer_;
}

DepartureListener* DepartureScope::listener() noexcept {
  return presentListener;
}

}  // namespace tally::detail
