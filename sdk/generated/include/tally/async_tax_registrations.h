// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/call_options.h>
#include <tally/tax_registrations.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// Arguments of AsyncTaxRegistrations::list.
struct TaxRegistrationListArgs {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  IdArg<TaxRegistration> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  IdArg<TaxRegistration> endingBefore{};
};

/// The methods of TaxRegistrations as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::taxRegistrations().
class AsyncTaxRegistrations {
 public:
  explicit AsyncTaxRegistrations(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move, which would leave it without a client.
  AsyncTaxRegistrations(const AsyncTaxRegistrations&) = default;
  AsyncTaxRegistrations& operator=(const AsyncTaxRegistrations&) = default;
  ~AsyncTaxRegistrations() = default;

  /// Lists tax registrations, newest first. See TaxRegistrations::list().
  [[nodiscard]] AsyncPager<TaxRegistration> list(const TaxRegistrationListArgs& args = {},
                                                 const CallOptions& options = {}) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
