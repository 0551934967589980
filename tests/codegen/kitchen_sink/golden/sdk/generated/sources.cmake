# Generated from the API description, version 1.0.0. Do not edit.

# The tables that client and fake share, relative to this folder.
set(TALLY_BASE_GENERATED_SOURCES
  src/widgets.cpp
  src/amount.cpp
  src/operations.cpp
)

# The services of the client, relative to this folder.
set(TALLY_SDK_GENERATED_SOURCES
  src/services/widgets.cpp
  src/async_services/widgets.cpp
)

# Relative to the folder `include` in this one.
set(TALLY_SDK_GENERATED_HEADERS
  tally/widgets.h
  tally/amount.h
  tally/rate_limited_reason.h
  tally/services.h
  tally/error_codes.h
  tally/limits.h
  tally/async_widgets.h
  tally/async_services.h
)
