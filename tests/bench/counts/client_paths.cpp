#include <chrono>
#include <string>
#include <utility>

#include <tally/tally.h>

#include "bench/counts/canned.h"
#include "bench/counts/paths.h"
#include "bench/support/records.h"

namespace tally::bench {

namespace {

constexpr std::size_t number = 3;  // of a record that has failed
constexpr std::size_t pageSize = 10;
constexpr std::chrono::sys_seconds failedAt{std::chrono::seconds{1'767'225'600}};

void reportOften(const Client& client, const Id<PaymentRecord>& id, std::size_t count) {
  for (std::size_t n = 0; n < count; ++n) {
    const auto record =
        client.paymentRecords().reportFailed(id, {.failedAt = failedAt, .metadata = {{"order", "100003"}}});
    check(record && record.assume_value().id == id, "not reported");
  }
}

/// The number of the first record of the page that the request asks for.
std::size_t firstOf(const HttpRequest& request, const std::string& cursor) {
  const auto at = request.url.find(cursor);
  return at == std::string::npos ? 0 : std::stoul(request.url.substr(at + cursor.size()));
}

HttpResponse pageOfList(const HttpRequest& request) {
  const std::size_t last = firstOf(request, "starting_after=pr_");
  return responseOf(200, pageJson(last + 1, pageSize, true));
}

HttpResponse pageOfSearch(const HttpRequest& request) {
  const std::size_t first = firstOf(request, "&page=");
  return responseOf(200, searchPageJson(first, pageSize, std::to_string(first + pageSize)));
}

void walk(Pager<PaymentRecord> records, std::size_t count) {
  std::size_t read = 0;
  for (const auto& page : std::move(records).pages()) {
    check(page && page.assume_value().data.size() == pageSize, "not a page");
    if (++read == count) return;
  }
  check(false, "not all pages");
}

/// Refuses every other request since the object is locked.
class Contended {
 public:
  HttpResponse operator()(const HttpRequest& request) {
    refuses_ = !refuses_;
    if (!refuses_) return namedRecord(request);
    return responseOf(429, R"({"error":{"type":"invalid_request_error","code":"lock_timeout",)"
                           R"("message":"The object cannot be accessed right now."}})");
  }

 private:
  bool refuses_ = false;
};

}  // namespace

Perform retrieve() {
  return [client = Client{cannedOptions(namedRecord)},
          id = Id<PaymentRecord>{recordId(number)}](std::size_t count) {
    for (std::size_t n = 0; n < count; ++n) {
      const auto record = client.paymentRecords().retrieve(id);
      check(record && record.assume_value().id == id, "not the record");
    }
  };
}

Perform report() {
  return [client = Client{cannedOptions(namedRecord)},
          id = Id<PaymentRecord>{recordId(number)}](std::size_t count) { reportOften(client, id, count); };
}

Perform listPage() {
  return [client = Client{cannedOptions(pageOfList)}](std::size_t count) {
    walk(client.paymentRecords().list({.limit = pageSize}), count);
  };
}

Perform searchPage() {
  return [client = Client{cannedOptions(pageOfSearch)}](std::size_t count) {
    walk(client.paymentRecords().search({.query = "metadata['till']:'7'", .limit = pageSize}), count);
  };
}

Perform retry() {
  return [client = Client{cannedOptions(Contended{})},
          id = Id<PaymentRecord>{recordId(number)}](std::size_t count) { reportOften(client, id, count); };
}

}  // namespace tally::bench
