// Lets the tests of reports use asynchronous calls, if the environment has TALLY_TEST_ASYNC.

#include <cstdlib>
#include <memory>

#include <tally/async.h>

#include "async/async_engine.h"
#include "sdk/support/any_report.h"

namespace tally::test {
namespace {

/// Gives coreOf() access to what a service shares with its client.
template <auto core>
struct CoreAccess {
  friend const std::shared_ptr<const detail::ClientCore>& coreOf(const PaymentRecords& records) {
    return records.*core;
  }
};
const std::shared_ptr<const detail::ClientCore>& coreOf(const PaymentRecords& records);
template struct CoreAccess<&PaymentRecords::core_>;

template <class Start>
CheckedReport awaited(const PaymentRecords& records, const Start& start) {
  const auto engine = std::make_shared<detail::AsyncEngine>(coreOf(records), AsyncOptions{});
  engine->startThread();
  auto result = start(AsyncPaymentRecords{engine}).future();
  engine->run();
  (void)engine->close(std::chrono::milliseconds{0});
  return result.get();
}

constexpr ReportForm asynchronous{
    [](const PaymentRecords& records, const Id<PaymentRecord>& id, const PaymentRecordReport& report,
       const ReportKnown& known, const RequestOptions& options) {
      return awaited(records, [&](const AsyncPaymentRecords& async) {
        return async.checkReport(id, report, known, options);
      });
    },
    [](const PaymentRecords& records, const Id<PaymentRecord>& id, const PaymentRecordReport& report,
       const ReportKnown& known, const RequestOptions& options) {
      return awaited(records, [&](const AsyncPaymentRecords& async) {
        return async.resolveReport(id, report, known, options);
      });
    }};

[[maybe_unused]] const bool chosen = [] {
  if (std::getenv("TALLY_TEST_ASYNC") != nullptr) reportForm = &asynchronous;
  return true;
}();

}  // namespace
}  // namespace tally::test
