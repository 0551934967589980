# Generated from the API description, version 1.0.0. Do not edit.

# Relative to this folder.
set(TALLY_SDK_GENERATED_SOURCES
  src/accounts.cpp
  src/core_accounts.cpp
  src/data_exports.cpp
  src/files.cpp
  src/invoices.cpp
  src/issuing_cards.cpp
  src/payment_intents.cpp
  src/payment_records.cpp
  src/payouts.cpp
  src/reporting_report_runs.cpp
  src/subscriptions.cpp
  src/tax_registrations.cpp
  src/amount.cpp
  src/operations.cpp
)

# Relative to the folder `include` in this one.
set(TALLY_SDK_GENERATED_HEADERS
  tally/accounts.h
  tally/core_accounts.h
  tally/data_exports.h
  tally/files.h
  tally/invoices.h
  tally/issuing_cards.h
  tally/payment_intents.h
  tally/payment_records.h
  tally/payouts.h
  tally/reporting_report_runs.h
  tally/subscriptions.h
  tally/tax_registrations.h
  tally/amount.h
  tally/rate_limited_reason.h
  tally/services.h
  tally/error_codes.h
  tally/limits.h
)
