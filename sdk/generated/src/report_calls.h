// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include "reports/report_resolver.h"

namespace tally {

struct PaymentRecord;
struct PaymentRecordReport;

namespace detail {

// The operation that sends a report, and its parameters. The report must outlive the result.
[[nodiscard]] ReportCall<PaymentRecord> callOf(const PaymentRecordReport& report);

}  // namespace detail

}  // namespace tally
