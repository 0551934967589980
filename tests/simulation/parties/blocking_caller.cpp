#include "simulation/parties/blocking_caller.h"

#include <string>

#include "stress/sending.h"

namespace tally::simulation {

using namespace std::chrono_literals;

void BlockingCaller::run(const ClientOptions& options) {
  const Client client{options};
  for (std::size_t call = 0; call < planned_; ++call) {
    (void)client.clock().sleepUntil(client.clock().now() + random().upTo(500ms), network_.history().over());
    if (!network_.isChaotic() || network_.history().isOver()) break;
    const std::size_t kind = random().below(10);
    kind == 0 ? list(client) : kind < 4 ? retrieve(client) : report(client);
  }
  isBusy_ = false;
}

RequestOptions BlockingCaller::optionsFor(std::uint64_t number) {
  ++calls_;
  RequestOptions options{};
  if (number != 0) options.headers = {{stress::callHeader, std::to_string(number)}};
  if (random().oneIn(6)) options.totalTimeout = 1ms + random().upTo(5s);
  return options;
}

void BlockingCaller::report(const Client& client) {
  const Id<PaymentRecord>& id = random().oneOf(shop_.records);
  const std::uint64_t number = network_.checker().announce(id.str());
  const test::AnyReport report = anyReport(random(), number);
  std::vector<Attempt> attempts;
  RequestOptions options = optionsFor(number);
  options.attempts = &attempts;
  const Result<PaymentRecord> result = report.send(client.paymentRecords(), id, options);
  network_.checker().told(number, saidBy(result), attempts.size(), sender_.name);
  if (result) network_.checker().sees(number, result.value());
  if (!result && result.error().mayHaveTakenEffect()) resolve(client, id, report, number);
}

void BlockingCaller::resolve(const Client& client, const Id<PaymentRecord>& id, const test::AnyReport& report,
                             std::uint64_t number) {
  const RequestOptions options = optionsFor(number);
  const test::CheckedReport check = report.resolveReport(client.paymentRecords(), id, {}, options);
  if (check.has_value() && check->status == ReportStatus::applied)
    network_.checker().told(number, Said::happened, sender_.name);
}

void BlockingCaller::retrieve(const Client& client) {
  const Id<PaymentRecord>& id = random().oneOf(shop_.records);
  const std::size_t since = network_.checker().record(id.str()).version();
  const Result<PaymentRecord> result = client.paymentRecords().retrieve(id, optionsFor(0));
  network_.history().step(result ? "read" : "read failed", 0, sender_.name);
  if (result) network_.checker().reads(result.value(), since);
}

/// Lists all records, the newest first, unless a page can't be read.
void BlockingCaller::list(const Client& client) {
  std::size_t left = network_.checker().recordsOf(shop_.key);
  for (const Result<PaymentRecord>& record : client.paymentRecords().list({.limit = 20}, optionsFor(0))) {
    if (!record) return;
    const std::size_t position = network_.checker().record(record.value().id.str()).position();
    network_.checker().require(position + 1 == left, "lists are in order",
                               record.value().id.str() + " is not the next one in a list");
    left = position;
  }
  network_.checker().require(left == 0, "lists are complete", "a list is not complete");
}

}  // namespace tally::simulation
