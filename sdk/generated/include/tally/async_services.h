// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/async_accounts.h>
#include <tally/async_core_accounts.h>
#include <tally/async_data_exports.h>
#include <tally/async_files.h>
#include <tally/async_invoices.h>
#include <tally/async_issuing_cards.h>
#include <tally/async_payment_intents.h>
#include <tally/async_payment_records.h>
#include <tally/async_payouts.h>
#include <tally/async_reporting_report_runs.h>
#include <tally/async_subscriptions.h>
#include <tally/async_tax_registrations.h>

namespace [[gnu::visibility("default")]] tally {

/// One asynchronous service for each resource of the API. Thread-safe.
class AsyncServices {
 public:
  [[nodiscard]] AsyncAccounts accounts() const { return AsyncAccounts{engine()}; }
  [[nodiscard]] AsyncCoreAccounts coreAccounts() const { return AsyncCoreAccounts{engine()}; }
  [[nodiscard]] AsyncDataExports dataExports() const { return AsyncDataExports{engine()}; }
  [[nodiscard]] AsyncFiles files() const { return AsyncFiles{engine()}; }
  [[nodiscard]] AsyncInvoices invoices() const { return AsyncInvoices{engine()}; }
  [[nodiscard]] AsyncIssuingCards issuingCards() const { return AsyncIssuingCards{engine()}; }
  [[nodiscard]] AsyncPaymentIntents paymentIntents() const { return AsyncPaymentIntents{engine()}; }
  [[nodiscard]] AsyncPaymentRecords paymentRecords() const { return AsyncPaymentRecords{engine()}; }
  [[nodiscard]] AsyncPayouts payouts() const { return AsyncPayouts{engine()}; }
  [[nodiscard]] AsyncReportingReportRuns reportingReportRuns() const {
    return AsyncReportingReportRuns{engine()};
  }
  [[nodiscard]] AsyncSubscriptions subscriptions() const { return AsyncSubscriptions{engine()}; }
  [[nodiscard]] AsyncTaxRegistrations taxRegistrations() const { return AsyncTaxRegistrations{engine()}; }

 protected:
  explicit AsyncServices(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}

  [[nodiscard]] bool isMovedFrom() const noexcept { return engine_ == nullptr; }
  /// Throws std::logic_error if this has been moved from.
  [[nodiscard]] const std::shared_ptr<detail::AsyncEngine>& engine() const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
