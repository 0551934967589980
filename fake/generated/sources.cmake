# Generated from the API description, version 1.0.0. Do not edit.

# Relative to this folder.
set(TALLY_FAKE_GENERATED_SOURCES
  errors.cpp
  provenance.cpp
  accounts_rules.cpp
  core_accounts_rules.cpp
  data_exports_rules.cpp
  files_rules.cpp
  invoices_rules.cpp
  issuing_cards_rules.cpp
  payment_intents_rules.cpp
  payment_records_rules.cpp
  payouts_rules.cpp
  reporting_report_runs_rules.cpp
  subscriptions_rules.cpp
  tax_registrations_rules.cpp
  resource_rules.cpp
)
