// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/payment_records.h>

namespace tally {

/// A service for each resource of the API.
class Services {
 public:
  [[nodiscard]] PaymentRecords paymentRecords() const { return PaymentRecords{core_}; }

 protected:
  explicit Services(std::shared_ptr<const detail::Core> core) : core_(std::move(core)) {}

  [[nodiscard]] const detail::Core& core() const noexcept { return *core_; }

 private:
  std::shared_ptr<const detail::Core> core_;
};

}  // namespace tally
