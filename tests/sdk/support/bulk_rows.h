#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include <tally/error.h>
#include <tally/payment_records.h>

#include "bulk/bulk_row.h"

namespace tally::test {

/// A report as Intake hands it on. `attempt`: empty if it does not name its attempt.
inline detail::BulkRow makeRow(std::uint64_t number, const std::string& id = "pr_1",
                               const std::string& attempt = "par_1") {
  detail::BulkRow row;
  row.number = number;
  row.report = {.id = id,
                .outcome = "failed",
                .time = std::chrono::sys_seconds{std::chrono::seconds{1767225600}},
                .attempt = attempt};
  row.prepared = std::get<detail::PreparedReport>(detail::prepareReport(row.report));
  return row;
}

/// A record whose latest attempt is `attempt`, as a call returns it.
inline std::shared_ptr<detail::AnyObject> makeObject(const detail::BulkRow& row, const std::string& attempt) {
  auto object = std::make_shared<detail::AnyObject>(*row.resource().model);
  auto* record = static_cast<PaymentRecord*>(const_cast<void*>(object->ref().address()));
  record->latestPaymentAttemptRecord = Id<PaymentAttemptRecord>{attempt};
  return object;
}

inline Error makeError(ErrorKind kind, Effect effect = Effect::none) {
  return Error{{.kind = kind, .effect = effect, .message = "it"}};
}

/// A refusal because of a limit, as a call of `operation` returns it.
inline Error limitError(RateLimitedReason reason,
                        const std::string& operation = "payment_records.report_failed") {
  return Error{{.kind = ErrorKind::rateLimited,
                .status = 429,
                .fromService = true,
                .message = "it",
                .rateLimitedReason = reason,
                .operation = operation}};
}

}  // namespace tally::test
