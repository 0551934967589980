# Generated from the API description, version 1.0.0. Do not edit.

# Relative to this folder.
set(TALLY_FAKE_GENERATED_SOURCES
  errors.cpp
  provenance.cpp
  widgets_rules.cpp
  resource_rules.cpp
)
