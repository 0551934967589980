# Generated from the API description, version 1.0.0. Do not edit.

# The tables that client and fake share, relative to this folder.
set(TALLY_BASE_GENERATED_SOURCES
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

# The services of the client, relative to this folder.
set(TALLY_SDK_GENERATED_SOURCES
  src/services/accounts.cpp
  src/services/core_accounts.cpp
  src/services/data_exports.cpp
  src/services/files.cpp
  src/services/invoices.cpp
  src/services/issuing_cards.cpp
  src/services/payment_intents.cpp
  src/services/payment_records.cpp
  src/services/payouts.cpp
  src/services/reporting_report_runs.cpp
  src/services/subscriptions.cpp
  src/services/tax_registrations.cpp
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
