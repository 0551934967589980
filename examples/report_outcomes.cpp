// Reports payment outcomes, iterates over lists and searches, and retries lock timeouts, against the
// in-process fake. Time is virtual, so waits take no real time.

#include <chrono>
#include <iomanip>
#include <iostream>
#include <string>

#include <tally/fake/service.h>
#include <tally/tally.h>

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds noon{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} + 12h};

void heading(const std::string& text) {
  std::cout << '\n' << text << '\n' << std::string(text.size(), '-') << '\n';
}

std::string text(const tally::Amount& amount) {
  return std::to_string(amount.value) + ' ' + amount.currency;
}

std::string text(const tally::Metadata& metadata) {
  std::string result;
  for (const auto& [key, value] : metadata)
    result += (result.empty() ? "" : ", ") + key + '=' + value;
  return result.empty() ? "(none)" : result;
}

void print(const tally::PaymentRecord& record) {
  std::cout << "  " << record.description << " (" << record.id << ")\n"
            << "    requested " << text(record.amountRequested) << ", canceled "
            << text(record.amountCanceled) << ", failed " << text(record.amountFailed) << ", guaranteed "
            << text(record.amountGuaranteed) << '\n'
            << "    metadata " << text(record.metadata) << '\n';
}

tally::PaymentRecord insert(tally::fake::Service& service, const std::string& key, int number) {
  return service.insert<tally::PaymentRecord>(key, [number](tally::PaymentRecord& record) {
    record.description = "Order " + std::to_string(number);
    record.amountRequested = {"eur", 1'000 + 10 * number};
    record.metadata = {{"order", std::to_string(number)}, {"till", number % 2 == 0 ? "left" : "right"}};
  });
}

void reportOutcomes(tally::fake::Service& service, const tally::Client& client, const std::string& key) {
  heading("Three outcomes");
  const auto records = client.paymentRecords();
  print(records.reportCanceled(insert(service, key, 1).id, {.canceledAt = noon}).value());
  print(
      records.reportFailed(insert(service, key, 2).id, {.failedAt = noon, .metadata = {{"why", "declined"}}})
          .value());
  const auto guaranteed =
      records.reportGuaranteed(insert(service, key, 3).id, {.guaranteedAt = noon}).value();
  print(guaranteed);

  heading("No outcome after guaranteed");
  const auto refused = records.reportFailed(guaranteed.id, {.failedAt = noon});
  std::cout << "  " << refused.error() << '\n';
}

void editMetadata(tally::fake::Service& service, const tally::Client& client, const std::string& key) {
  heading("Unsetting metadata");
  const auto records = client.paymentRecords();
  const auto record = insert(service, key, 4);
  print(record);
  print(records.reportFailed(record.id, {.failedAt = noon, .metadata = tally::MetadataEdit{}.unset("till")})
            .value());
  print(records.reportFailed(record.id, {.failedAt = noon, .metadata = tally::MetadataEdit::unsetAll()})
            .value());
}

void walkLists(tally::fake::Service& service, const tally::Client& client, const std::string& key) {
  heading("A list, five a page, newest first");
  for (int number = 5; number <= 12; ++number)
    insert(service, key, number);
  const auto records = client.paymentRecords();
  tally::Id<tally::PaymentRecord> oldest;
  for (auto& record : records.list({.limit = 5})) {
    oldest = record.value().id;
    std::cout << "  " << record.value().description;
  }
  std::cout << "\n\nand back from the oldest towards the newest\n";
  for (auto& record : records.list({.limit = 5, .endingBefore = oldest}))
    std::cout << "  " << record.value().description;
  std::cout << "\n\nand a page at a time\n";
  for (auto& page : records.list({.limit = 5}).pages())
    std::cout << "  " << page.value().data.size() << " records, "
              << (page.value().hasMore ? "more follow" : "the end") << '\n';
}

void search(const tally::Client& client) {
  heading("A search with its total count");
  using q = tally::PaymentRecordSearchFields;
  const auto query = q::metadata("till") == "right" && q::amountRequested.value >= 1050;
  auto found = client.paymentRecords().search({.query = query, .limit = 2, .expand = {"total_count"}});
  std::cout << "  " << query << '\n';
  for (auto& record : found)
    std::cout << "  " << record.value().description << ", " << text(record.value().amountRequested) << '\n';
  std::cout << "  " << found.totalCount().value_or(0) << " in total\n";
}

void rideOutLockTimeouts(tally::fake::Service& service, const tally::Client& client, const std::string& key) {
  heading("Lock timeouts");
  const auto records = client.paymentRecords();
  const auto record = insert(service, key, 13);
  service.faults().inject({.object = record.id.str(), .times = 1, .error = "lock_timeout"});
  std::cout << "  without retries: " << records.reportFailed(record.id, {.failedAt = noon}).error() << '\n';

  service.faults().inject({.object = record.id.str(), .times = 3, .error = "lock_timeout"});
  const auto before = service.requests().size();
  const auto start = client.clock().now();
  const auto reported = records.reportFailed(record.id, {.failedAt = noon}, {.maxNetworkRetries = 4});
  std::cout << "  with up to 4 retries:\n";
  const auto requests = service.requests().list();
  for (std::size_t i = before; i < requests.size(); ++i)
    std::cout << "    after " << std::setw(5) << (requests[i].time - start) / 1ms << " ms: status "
              << requests[i].status << ' ' << requests[i].errorCode << '\n';
  print(reported.value());

  service.faults().inject({.object = record.id.str(), .times = 9, .error = "lock_timeout"});
  const auto late = records.reportFailed(record.id, {.failedAt = noon},
                                         {.maxNetworkRetries = 9, .deadline = client.clock().now() + 2s});
  std::cout << "  with 2 s to a deadline: " << late.error() << '\n';
}

}  // namespace

int main() {
  try {
    tally::fake::Service service;
    const std::string key = service.addAccount().sandboxKey;
    const tally::Client client{service.clientOptions(key)};
    reportOutcomes(service, client, key);
    editMetadata(service, client, key);
    walkLists(service, client, key);
    search(client);
    rideOutLockTimeouts(service, client, key);
    std::cout << '\n' << service.requests().size() << " requests were sent; the waits were virtual.\n";
  } catch (const std::exception& exception) {
    std::cerr << exception.what() << '\n';
    return 1;
  }
}
