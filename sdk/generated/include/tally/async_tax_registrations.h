// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/borrowed.h>
#include <tally/tax_registrations.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// The methods of TaxRegistrations as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::taxRegistrations().
class AsyncTaxRegistrations {
 public:
  explicit AsyncTaxRegistrations(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move operations: a move would leave the source without a client.
  AsyncTaxRegistrations(const AsyncTaxRegistrations&) = default;
  AsyncTaxRegistrations& operator=(const AsyncTaxRegistrations&) = default;
  ~AsyncTaxRegistrations() = default;

  /// Lists tax registrations, newest first. See TaxRegistrations::list().
  [[nodiscard]] AsyncPager<TaxRegistration> list(
      const Borrowed<TaxRegistrationListParams>& params = detail::defaulted,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
