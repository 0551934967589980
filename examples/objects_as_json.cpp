// Keeps payment records as text: an archive with one record per line, and a record as it was before a report,
// from which a later process finds out whether the report was applied.

#include <iostream>
#include <string>

#include <tally/fake/service.h>
#include <tally/tally.h>

namespace {

const tally::PaymentRecordReportFailedParams failed{
    .failedAt = std::chrono::sys_seconds{std::chrono::seconds{1767225600}}, .metadata = {{"order", "42"}}};

/// Newline-delimited JSON: a record never contains a line break.
void archive(const tally::PaymentRecords& records, std::ostream& out) {
  for (const auto& record : records.list())
    out << tally::toJson(record.value()) << '\n';
}

/// In another process, which has only the text.
void resolve(const tally::PaymentRecords& records, const std::string& text) {
  const auto before = tally::fromJson<tally::PaymentRecord>(text).value();
  std::cout << records.resolveReport(before.id, failed, {.before = before}) << '\n';
}

}  // namespace

int main() {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto records = tally::Client{service.clientOptions(key)}.paymentRecords();
  const auto id = service.insert<tally::PaymentRecord>(key).id;

  const std::string before = tally::toJson(records.retrieve(id).value());  // into a journal
  service.faults().inject({.fault = tally::fake::Fault::responseLost});
  const tally::Error lost = records.reportFailed(id, failed).error();
  std::cout << lost.effect() << ", retryable: " << std::boolalpha << lost.isRetryable() << '\n';
  resolve(records, before);

  std::cout << "\nThe archive:\n";
  archive(records, std::cout);
  std::cout << '\n' << tally::fromJson<tally::PaymentRecord>(R"({"id":7})") << '\n';
}
