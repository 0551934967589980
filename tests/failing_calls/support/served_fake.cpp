#include "failing_calls/support/served_fake.h"

#include <algorithm>
#include <chrono>

#include <tally/fake/logged_request.h>
#include <tally/payment_records.h>

namespace tally::test {

namespace {

using namespace std::chrono_literals;

std::string lineOf(const ToldReport& told) {
  if (told.isApplied) return "counts as applied";
  return told.effect ? "has the effect " + std::string{toString(*told.effect)} : "threw";
}

}  // namespace

ToldReport toldOf(const std::string& id, const Result<PaymentRecord>& result) {
  ToldReport told{.id = id, .isApplied = result.has_value()};
  if (!result) told.effect = result.error().effect();
  return told;
}

std::vector<std::string> Fake::newRecords(std::size_t count) {
  return service_.insertMany(key_, PaymentRecord::object, count);
}

/// Without memory, the log may lack a report that the record shows.
std::size_t Fake::timesApplied(const std::string& id) const {
  const auto logged = static_cast<std::size_t>(
      std::ranges::count_if(service_.requests().list(), [&](const fake::LoggedRequest& request) {
        return request.processed && request.method == "POST" && request.object == id;
      }));
  const bool isChanged = service_.objects().stateOf(key_, id).value() == "failed";
  return std::max<std::size_t>(logged, isChanged ? 1 : 0);
}

void Fake::check(Trial& trial, const std::vector<ToldReport>& reports) const {
  for (const ToldReport& told : reports) {
    const bool isApplied = service_.objects().stateOf(key_, told.id).value() == "failed";
    const bool mayBe = told.isApplied || told.effect != Effect::none;
    const bool mayBeNot = !told.isApplied;
    trial.check(isApplied ? mayBe : mayBeNot,
                "a report " + lineOf(told) + ", but the record is " + (isApplied ? "changed" : "unchanged"));
    trial.check(timesApplied(told.id) <= 1, "a report was applied twice");
  }
}

ServedFake::ServedFake() {
  const OnSide server{Side::server};
  server_.emplace(service(), fake::HttpServerOptions{.drain = 2s});
}

ClientOptions ServedFake::options(const Trial& trial) const {
  ClientOptions made;
  made.apiKey = key();
  made.baseUrl = server_->url();
  made.timeout = trial.isClean() ? 30s : 1500ms;
  made.backoff = {.initial = 1ms, .cap = 2ms};
  return made;
}

void checkNextCall(Trial& trial, const Client& client, Fake& fake) {
  const std::string id = fake.newRecord();
  const auto result = client.paymentRecords().reportFailed(id, {.failedAt = failureTime},
                                                           {.timeout = std::chrono::seconds{30}});
  trial.check(result.has_value(), "the next call fails: " + (result ? "" : result.error().toString()));
  trial.check(!result || fake.timesApplied(id) == 1, "the next call has no effect");
}

}  // namespace tally::test
