#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/saved_service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"

// A saved service continues with its fault scripts, and with the faults that requests ask for.

namespace tally::fake::detail {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

class SavedScripts : public testing::Test {
 protected:
  int read(Service& from, const std::string& header = {}) const {
    HttpRequest request = test::get(key, "/v1/payment_records");
    if (!header.empty()) request.headers.push_back({"Tally-Fake-Fault", header});
    return from.handle(request).status;
  }
  std::vector<int> reads(Service& from, int number, const std::string& header = {}) const {
    std::vector<int> statuses;
    for (int n = 0; n < number; ++n)
      statuses.push_back(read(from, header));
    return statuses;
  }
  static std::string problemOf(std::string saved, const std::string& from, const std::string& to) {
    const std::size_t place = saved.find(from);
    if (place == std::string::npos) return "there is no " + from;
    try {
      (void)importJson(saved.replace(place, from.size(), to));
      return "none";
    } catch (const std::invalid_argument& problem) {
      return problem.what();
    }
  }

  Service service{{.duration = 0s, .faultHeader = true}};
  std::string key = service.addAccount().sandboxKey;
};

TEST_F(SavedScripts, ContinueAfterTheyAreLoaded) {
  service.faults().play(
      {.name = "odd \"name\"",
       .seed = 9'007'199'254'740'993,
       .steps = {{.at = 1s, .duration = 9s, .effect = FaultRule{.error = "api_error", .probability = 0.5}},
                 {.at = 20s, .duration = 10s, .effect = LimitOverride{.limit = "global_rate", .value = 2}}}});
  service.clock()->advance(2s);
  (void)reads(service, 5);
  const std::string saved = exportJson(service);
  Service loaded = importJson(saved);
  EXPECT_EQ(exportJson(loaded), saved);
  EXPECT_EQ(reads(loaded, 20), reads(service, 20)) << "the same random numbers";
  for (Service* each : {&service, &loaded})
    each->clock()->advance(18s);
  EXPECT_THAT(reads(loaded, 3), ElementsAre(200, 200, 429));
  const PlayedScript script = loaded.faults().scripts().front();
  EXPECT_EQ(script.name, "odd \"name\"");
  EXPECT_EQ(script.seed, 9'007'199'254'740'993U);
  EXPECT_EQ(script.next, "ends: limit global_rate = 2");
  EXPECT_TRUE(loaded.faults().stop(script.id));
  EXPECT_EQ(*loaded.usage().of(key, "global_rate").allowed, 25);
}

TEST_F(SavedScripts, ContinueIfTheyAreSavedWhileALimitApplies) {
  service.faults().play(
      {.steps = {{.duration = 10s, .effect = LimitOverride{.limit = "global_rate", .value = 2}}}});
  Service loaded = importJson(exportJson(service));
  EXPECT_THAT(reads(loaded, 3), ElementsAre(200, 200, 429));
  EXPECT_GT(loaded.faults().play(FaultScript::named("outage")), 1U) << "another id";
  loaded.clock()->advance(10s);
  loaded.faults().clear();
  EXPECT_EQ(*loaded.usage().of(key, "global_rate").allowed, 25);
}

TEST_F(SavedScripts, KeepTheProgressOfFaultsFromHeaders) {
  EXPECT_THAT(reads(service, 2, "reset; times=3"), ElementsAre(0, 0));
  EXPECT_THAT(reads(service, 2, "reset; every=3"), ElementsAre(200, 200));
  const std::string saved = exportJson(service);
  Service loaded = importJson(saved);
  EXPECT_EQ(exportJson(loaded), saved);
  EXPECT_THAT(reads(loaded, 2, "reset; times=3"), ElementsAre(0, 200));
  EXPECT_THAT(reads(loaded, 1, "reset; every=3"), ElementsAre(0));
}

TEST_F(SavedScripts, AreRefusedIfTheyAreInvalid) {
  service.faults().play(
      {.steps = {{.duration = 10s, .effect = FaultRule{.error = "api_error", .probabilityAtEnd = 0}},
                 {.duration = 10s, .effect = LimitOverride{.limit = "global_rate", .value = 2}}}});
  (void)read(service, "reset; times=3");
  const std::string saved = exportJson(service);
  EXPECT_THAT(problemOf(saved, R"("last_fault_script":"1")", R"("last_fault_script":"0")"),
              HasSubstr("fault_scripts[0]: the id 1 of a fault script must be at least 1 and at most the "
                        "last id assigned, 0"));
  EXPECT_THAT(problemOf(saved, R"("limit":{"limit":"global_rate")", R"("limit":{"limit":"global_rat")"),
              HasSubstr("fault_scripts[0]: unknown limit 'global_rat'"));
  EXPECT_THAT(problemOf(saved, R"("what":)", R"("whatever":)"), HasSubstr("fault_scripts[0].parts[0]"));
  EXPECT_THAT(problemOf(saved, R"("hits":1,"passed")", R"("hits":-1,"passed")"),
              HasSubstr("requested_faults[0].hits: expected a number from 0"));
  EXPECT_THAT(problemOf(saved, R"("until":"2026-01-01T00:00:10.000000000Z","script")", R"("script")"),
              HasSubstr("faults[0]: a fault rule whose probability changes must have an end"));
}

/// A file may say anything about times.
TEST_F(SavedScripts, SupportExtremeTimes) {
  service.faults().play(
      {.steps = {{.duration = 10s,
                  .effect = FaultRule{.error = "api_error", .probability = 0.5, .probabilityAtEnd = 0}}}});
  std::string saved = exportJson(service);
  const auto replaceAll = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = saved.find(from); at != std::string::npos; at = saved.find(from, at + to.size()))
      saved.replace(at, from.size(), to);
  };
  replaceAll(R"("from":"2026-01-01T00:00:00.000000000Z")", R"("from":"1678-01-01T00:00:00.000000000Z")");
  replaceAll(R"("until":"2026-01-01T00:00:10.000000000Z")", R"("until":"2262-01-01T00:00:00.000000000Z")");
  Service loaded = importJson(saved);
  EXPECT_THAT(read(loaded), testing::AnyOf(200, 500));
}

}  // namespace

}  // namespace tally::fake::detail
