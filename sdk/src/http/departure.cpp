#include "http/departure.h"

#include <utility>

namespace tally::detail {

namespace {

thread_local DepartureListener* current = nullptr;

}  // namespace

DepartureScope::DepartureScope(DepartureListener* listener) noexcept
    : outer_(std::exchange(current, listener)) {}

DepartureScope::~DepartureScope() {
  current = outer_;
}

DepartureListener* DepartureScope::listener() noexcept {
  return current;
}

}  // namespace tally::detail
