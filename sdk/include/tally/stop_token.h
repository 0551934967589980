#pragma once

#include <tally/detail/cpp20.h>

#include <version>

#ifdef __cpp_lib_jthread
#include <stop_token>
#else
#include <tally/detail/stop_token.h>
#endif

namespace [[gnu::visibility("default")]] tally {

#ifdef __cpp_lib_jthread
namespace detail {
using StopTokenBase = std::stop_token;
using StopSourceBase = std::stop_source;
template <class F>
using StopCallbackBase = std::stop_callback<F>;
inline constexpr std::nostopstate_t noStopState = std::nostopstate;
}  // namespace detail
#endif

/// Shows whether a stop was requested: `std::stop_token` where the standard library has it, elsewhere a class
/// with the same interface. Thread-safe.
using StopToken = detail::StopTokenBase;

/// Requests a stop: `std::stop_source`, or a class with the same interface. Thread-safe.
using StopSource = detail::StopSourceBase;

/// Calls a function when a stop is requested, in the thread that requests it, or immediately if a stop has
/// already been requested. Its destructor waits until a call in another thread has ended.
template <class F>
class StopCallback : public detail::StopCallbackBase<F> {
 public:
  using detail::StopCallbackBase<F>::StopCallbackBase;
};

template <class F>
StopCallback(StopToken, F) -> StopCallback<F>;

}  // namespace tally
