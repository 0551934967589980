#pragma once

#include <tally/detail/cpp20.h>

#include <concepts>
#include <cstddef>
#include <memory>
#include <ostream>

#include <tally/client.h>
#include <tally/fake/service.h>
#include <tally/pacer.h>
#include <tally/transport.h>

// What GoogleTest and GoogleMock print for arguments that have no `<<`, such as a client that is passed to
// one of the application's mocks. Otherwise, they would print bytes.

namespace tally {

inline void PrintTo(const Client& /*client*/, std::ostream* out) {
  *out << "a client";
}

inline void PrintTo(const Pacer& /*pacer*/, std::ostream* out) {
  *out << "a pacer";
}

/// A service of a client, such as PaymentRecords.
template <class Service>
  requires std::constructible_from<Service, std::shared_ptr<const detail::ClientCore>>
void PrintTo(const Service& /*service*/, std::ostream* out) {
  *out << "a service of a client";
}

template <class T>
void PrintTo(const Pager<T>& /*pager*/, std::ostream* out) {
  *out << "a pager of objects " << T::object;
}

/// Prints the bounds of an attempt.
inline void PrintTo(const SendLimits& limits, std::ostream* out) {
  *out << "until " << toString(limits.deadline);
}

namespace fake {

inline void PrintTo(const Service& service, std::ostream* out) {
  const std::size_t logged = service.requests().size();
  *out << "a service with " << logged << (logged == 1 ? " logged request" : " logged requests");
}

}  // namespace fake

}  // namespace tally
