// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <tally/borrowed.h>
#include <tally/id.h>
#include <tally/integer.h>
#include <tally/json.h>
#include <tally/last_response.h>
#include <tally/options.h>
#include <tally/pager.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class ClientCore;
}

/// A placeholder for the resources of the tax product.
/// Assumed (not specified): Data, reporting and tax endpoints.
struct TaxRegistration {
  static constexpr std::string_view object = "tax_registration";

  Id<TaxRegistration> id{};            ///< Tax registration identifier.
  std::chrono::sys_seconds created{};  ///< When the tax registration was created.
  bool livemode{};                     ///< True in live mode, false in the sandbox.
  UnknownFields unknownFields{};       ///< Other fields that the service sent.
  LastResponse lastResponse{};         ///< The response that contained the object.

  bool operator==(const TaxRegistration&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const TaxRegistration& value);
};

/// Parameters of TaxRegistrations::list.
template <class O>
struct BasicTaxRegistrationListParams {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  Held<O, std::optional<Id<TaxRegistration>>> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  Held<O, std::optional<Id<TaxRegistration>>> endingBefore{};

  operator BasicTaxRegistrationListParams<detail::OppositeOf<O>>() const&;
  operator BasicTaxRegistrationListParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using TaxRegistrationListParams = BasicTaxRegistrationListParams<Owning>;
std::ostream& operator<<(std::ostream& out, const TaxRegistrationListParams& value);

/// Lists tax registrations.
/// Thread-safe; may outlive its Client. Made by Client::taxRegistrations().
class TaxRegistrations {
 public:
  explicit TaxRegistrations(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}
  // No move operations: a move would leave the source without a client.
  TaxRegistrations(const TaxRegistrations&) = default;
  TaxRegistrations& operator=(const TaxRegistrations&) = default;
  ~TaxRegistrations() = default;

  /// Lists tax registrations, newest first.
  /// Spec: "List operations".
  /// Assumed (not specified): Data, reporting and tax endpoints.
  [[nodiscard]] Pager<TaxRegistration> list(const TaxRegistrationListParams& params = {},
                                            const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
