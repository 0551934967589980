#include <chrono>
#include <sstream>

#include <tally/fake/sent_request.h>
#include <tally/fake/service.h>

#include <gtest/gtest.h>

namespace tally::fake {
namespace {

template <class T>
std::string shown(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(ValuePrinter, ShowsAccountsWithoutTheirKeys) {
  EXPECT_EQ(shown(Account{.id = "acct_1", .liveKey = "hush42"}), "Account{id: acct_1, liveKey: set}");
  EXPECT_EQ(shown(AccountOptions{}), "AccountOptions{country: US}");
  EXPECT_EQ(
      shown(ServiceOptions{}),
      "ServiceOptions{seed: 1, start: 2026-01-01T00:00:00Z, searchLag: 0s, duration: 0.05s, lockWait: 3s, "
      "limits: true, requestLog: 10000, requestLogBytes: 67108864, faultHeader: false}");
}

TEST(ValuePrinter, ShowsObjectsWithoutTheirContents) {
  const StoredObject object{.resource = "file", .id = "file_1", .json = R"({"a":"hush42"})"};
  EXPECT_EQ(
      shown(ObjectList{.objects = {object}, .counts = {{"file", "", 1}}}),
      "ObjectList{objects: [{resource: file, id: file_1, created: 1970-01-01T00:00:00Z, json: 14 bytes}], "
      "hasMore: false, counts: [{resource: file, count: 1}]}");
  EXPECT_EQ(shown(ObjectFilter{.resource = "file"}), "ObjectFilter{resource: file, limit: 100}");
}

TEST(ValuePrinter, ShowsFaultsResultsAndNearMisses) {
  const InjectedFault fault{.id = 3, .rule = {.operation = "files.list", .fault = Fault::reset}, .hits = 1};
  EXPECT_EQ(
      shown(fault),
      "InjectedFault{id: 3, rule: files.list: reset (1 time left), hits: 1, from: 1970-01-01T00:00:00Z}");
  EXPECT_EQ(shown(ScheduledResult{.result = HttpResponse{.status = 200, .body = "hush42"}}),
            "ScheduledResult{result: 200 [] 6 bytes, due: 1970-01-01T00:00:00Z, latency: 0s, chunks: 1, "
            "pause: 0s}");
  EXPECT_EQ(shown(SentParam{"amount", "500"}), "amount = \"500\"");
  EXPECT_EQ(shown(NearMiss{.request = {.operation = "files.list", .method = "GET", .status = 200},
                           .differences = {{"status", "429", "200"}}}),
            "1970-01-01T00:00:00Z GET files.list: 200; status is 200, not 429");
}

TEST(ValuePrinter, ShowsWhenAPartOfAScriptIsOverIfItEverIs) {
  ScriptPart part{.what = "outage"};
  EXPECT_EQ(shown(part), "ScriptPart{what: outage, from: 1970-01-01T00:00:00Z}");
  part.until = Instant{std::chrono::seconds{5}};
  EXPECT_EQ(shown(part), "ScriptPart{what: outage, from: 1970-01-01T00:00:00Z, until: 1970-01-01T00:00:05Z}");
}

TEST(ValuePrinter, ShowsClockReadingsAndSnapshots) {
  EXPECT_EQ(shown(VirtualClock::Reading{.frozen = true}),
            "Reading{time: 1970-01-01T00:00:00Z, frozen: true, running: false}");
  EXPECT_EQ(shown(Snapshot{nullptr, {}}),
            "Snapshot{clock: {time: 1970-01-01T00:00:00Z, frozen: false, running: false}}");
}

}  // namespace
}  // namespace tally::fake
