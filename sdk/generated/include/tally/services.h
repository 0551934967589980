// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/accounts.h>
#include <tally/core_accounts.h>
#include <tally/data_exports.h>
#include <tally/files.h>
#include <tally/invoices.h>
#include <tally/issuing_cards.h>
#include <tally/payment_intents.h>
#include <tally/payment_records.h>
#include <tally/payouts.h>
#include <tally/reporting_report_runs.h>
#include <tally/subscriptions.h>
#include <tally/tax_registrations.h>

namespace [[gnu::visibility("default")]] tally {

/// One service for each resource of the API. Thread-safe.
class Services {
 public:
  [[nodiscard]] Accounts accounts() const { return Accounts{core_}; }
  [[nodiscard]] CoreAccounts coreAccounts() const { return CoreAccounts{core_}; }
  [[nodiscard]] DataExports dataExports() const { return DataExports{core_}; }
  [[nodiscard]] Files files() const { return Files{core_}; }
  [[nodiscard]] Invoices invoices() const { return Invoices{core_}; }
  [[nodiscard]] IssuingCards issuingCards() const { return IssuingCards{core_}; }
  [[nodiscard]] PaymentIntents paymentIntents() const { return PaymentIntents{core_}; }
  [[nodiscard]] PaymentRecords paymentRecords() const { return PaymentRecords{core_}; }
  [[nodiscard]] Payouts payouts() const { return Payouts{core_}; }
  [[nodiscard]] ReportingReportRuns reportingReportRuns() const { return ReportingReportRuns{core_}; }
  [[nodiscard]] Subscriptions subscriptions() const { return Subscriptions{core_}; }
  [[nodiscard]] TaxRegistrations taxRegistrations() const { return TaxRegistrations{core_}; }

 protected:
  explicit Services(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}

  [[nodiscard]] const detail::ClientCore& core() const noexcept { return *core_; }
  [[nodiscard]] const std::shared_ptr<const detail::ClientCore>& sharedCore() const noexcept { return core_; }

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
