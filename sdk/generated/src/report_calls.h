// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/borrowed.h>

#include "reports/report_resolver.h"

namespace [[gnu::visibility("default")]] tally {

struct PaymentRecord;
template <class O>
struct BasicPaymentRecordReport;

}  // namespace tally

namespace tally::detail {

// The operation that sends a report, and its parameters. The report must outlive the result.
[[nodiscard]] ReportCall<PaymentRecord> callOf(const BasicPaymentRecordReport<Owning>& report);

}  // namespace tally::detail
