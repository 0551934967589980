// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include "reports/report_resolver.h"

namespace [[gnu::visibility("default")]] tally {

struct PaymentRecord;
struct PaymentRecordReport;

}  // namespace tally

namespace tally::detail {

// The operation that sends a report, and its parameters. The report must outlive the result.
[[nodiscard]] ReportCall<PaymentRecord> callOf(const PaymentRecordReport& report);

}  // namespace tally::detail
