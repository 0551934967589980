// Generated from the API description, version 1.0.0. Do not edit.
#include "operations.h"

namespace tally::detail {

namespace {

// clang-format off: one per line
constexpr const AnyOperation* table[] = {
    &widgetsCreate,
    &widgetsList,
    &widgetsSearch,
    &widgetsRetrieve,
    &widgetsUpdate,
    &widgetsRedraw,
    &widgetsReportSwitchedOnAndRunningAtFullSpeed,
    &widgetsReportRetired,
};
// clang-format on

}  // namespace

constinit const std::span<const AnyOperation* const> operations{table};

}  // namespace tally::detail
