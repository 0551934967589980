// The fake: its states in memory and in files, and recordings of requests to it.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tally/fake/http_server.h>
#include <tally/fake/saved_service.h>
#include <tally/fake/snapshot.h>
#include <tally/payment_records.h>
#include <tally/recording.h>

#include <gtest/gtest.h>

#include "failing_calls/support/durable_files.h"
#include "failing_calls/support/search.h"
#include "failing_calls/support/served_fake.h"
#include "tenants/host.h"

namespace tally::test {

namespace {

using fake::detail::Host;

/// How many accounts a state file has; empty if it can't be loaded.
std::optional<std::size_t> accountsIn(const std::filesystem::path& file) {
  Host host{{.stateFile = file.string()}};
  if (!host.loadState()) return std::nullopt;
  return host.accountCount();
}

void save(const std::filesystem::path& file) {
  Host host{{.stateFile = file.string()}};
  (void)host.loadState();
  (void)host.add();
  host.saveState();
}

}  // namespace

TEST(EachFailingCall, IsHandledByAServiceInMemory) {
  const auto scenario = [](Trial& trial) {
    Fake fake;
    const std::string id = fake.newRecord();
    const auto before = fake.service().snapshots().take();
    const std::string stateBefore = fake::exportJson(fake.service());
    const std::string thrown = trial.attempt([&] {
      const auto taken = fake.service().snapshots().take();
      (void)fake.newRecord();
      fake.service().snapshots().restore(taken);
      fake::Service copy = fake.service().fork();
      (void)copy.insertMany(fake.key(), PaymentRecord::object, 3);
      fake::Service loaded = fake::importJson(fake::exportJson(copy));
      (void)loaded.objects().stateOf(fake.key(), id);
    });
    trial.check(!trial.isClean() || thrown.empty(), "a service throws, although no call fails: " + thrown);
    fake.service().snapshots().restore(before);
    trial.check(fake::exportJson(fake.service()) == stateBefore, "a snapshot does not restore the state");
    checkNextCall(trial, Client{fake.options()}, fake);
  };
  testFailingCalls(scenario);
}

/// A change that throws is made as a whole, or not at all. The parts of the store of some resources are full
/// and divided by the next object.
TEST(EachFailingCall, LeavesTheObjectsOfAServiceWhole) {
  const auto scenario = [](Trial& trial) {
    Fake fake;
    fake::Service& service = fake.service();
    const std::string id = fake.newRecord();
    const std::vector<Header> headers{{"Authorization", "Bearer " + fake.key()}};
    const auto isFound = [&] {
      const HttpRequest search{.url = "/v1/payment_records/search?query=metadata[%22note%22]:%22new%22",
                               .headers = headers};
      return service.handle(search).body.find(id) != std::string::npos;
    };
    trial.check(!isFound(), "a search finds what does not exist");
    const std::map<std::string, std::size_t> presentObjects{
        {"payout", 0}, {"subscription", 64}, {"file", 512}};
    for (const auto& [resource, count] : presentObjects)
      (void)service.insertMany(fake.key(), resource, count);
    const auto insertBeforeThem = [&] {
      for (const auto& [resource, count] : presentObjects)
        (void)service.insertMany(fake.key(), resource, 2, R"({"created":1})");
    };
    const std::string thrown = trial.attempt([&] {
      const std::string url = "/v1/payment_records/" + id + "/report_payment_attempt_failed";
      const std::string note = "failed_at=1&metadata[note]=new&metadata[text]=" + std::string(300, 'x');
      (void)service.handle({.method = Method::post, .url = url, .headers = headers, .body = note});
      insertBeforeThem();
    });
    trial.check(!trial.isClean() || thrown.empty(), "a change throws, although no call fails: " + thrown);

    const fake::StoredObject record = service.objects().get(fake.key(), id).value();
    const bool isChanged = record.json.find(R"("note":"new")") != std::string::npos;
    trial.check((record.state == "failed") == isChanged, "a record does not show its state, " + record.state);
    trial.check(isFound() == isChanged, "a search does not find what a record shows");
    const auto list = [&](const std::string& resource) {
      return service.objects().list(fake.key(), {.resource = resource, .limit = 1'000}).objects;
    };
    std::map<std::string, std::size_t> before;
    for (const auto& [resource, count] : presentObjects)
      before[resource] = list(resource).size();
    insertBeforeThem();
    for (const auto& [resource, count] : before) {
      const std::vector<fake::StoredObject> objects = list(resource);
      trial.check(objects.size() == count + 2, "the next objects are not stored");
      for (const fake::StoredObject& object : objects)
        trial.check(service.objects().get(fake.key(), object.id).has_value(), "an object is not found");
    }
  };
  testFailingCalls(scenario, Side::client, {.places = 0});
}

/// Otherwise a limit would count it until the end of the service.
TEST(EachFailingCall, LeavesNoRequestOfAServiceInProgress) {
  const auto scenario = [](Trial& trial) {
    fake::Service service;
    const std::string key = service.addAccount().sandboxKey;
    const auto create = [&] {
      (void)service.handle({.method = Method::post,
                            .url = "/v1/payouts",
                            .headers = {{"Authorization", "Bearer " + key}},
                            .body = "amount=5&currency=eur"});
    };
    const auto inProgress = [&] {
      service.clock()->advance(std::chrono::minutes{1});
      return service.usage().of(key, "payouts_in_progress").used;
    };
    create();  // so that what counts it exists
    trial.check(inProgress() == 0, "a request does not end");
    const std::string thrown = trial.attempt(create);
    trial.check(!trial.isClean() || thrown.empty(), "a request throws, although no call fails: " + thrown);
    trial.check(inProgress() == 0, "a request that threw does not end");
    create();
    trial.check(service.objects().list(key, {.resource = "payout"}).objects.size() >= 2,
                "the next object is not stored");
  };
  testFailingCalls(scenario, Side::client, {.places = 0});
}

/// Memory is left out: without any, the threads of a server end the program.
TEST(EachFailingCall, IsHandledByTheStartOfAServer) {
  const auto scenario = [](Trial& trial) {
    fake::Service service;
    const std::string thrown = trial.attempt([&] { const fake::HttpServer server{service, {.threads = 3}}; });
    trial.check(!trial.isClean() || thrown.empty(),
                "a server can't start, although no call fails: " + thrown);
    const fake::HttpServer next{service};
    trial.check(next.port() != 0, "the next server does not listen");
  };
  testFailingCalls(scenario, Side::client, {.leftOut = {Call::memory}});
}

TEST(EachFailingCall, LeavesAUsableStateFile) {
  const auto scenario = [](Trial& trial) {
    const TemporaryFolder folder;
    const DurableFiles durable{folder.path()};
    const std::filesystem::path file = folder.path() / "state.json";
    save(file);
    const std::size_t before = accountsIn(file).value();
    const std::string thrown = trial.attempt([&] { save(file); });
    trial.check(!trial.isClean() || thrown.empty(),
                "a state can't be saved, although no call fails: " + thrown);
    for (const auto& kept : {durable.left() / "state.json", file}) {
      const std::optional<std::size_t> after = accountsIn(kept);
      trial.check(after == before + 1 || (after == before && !thrown.empty()),
                  "a state file has " + (after ? std::to_string(*after) + " accounts" : "no state") +
                      " after: " + (thrown.empty() ? "success" : thrown));
    }
    const std::size_t now = accountsIn(file).value();
    save(file);
    trial.check(accountsIn(file) == now + 1, "the next state is not saved");
  };
  testFailingCalls(scenario);
}

TEST(EachFailingCall, IsHandledByARecording) {
  const auto scenario = [](Trial& trial) {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "recording.har").string();
    Fake fake;
    const std::vector<std::string> ids = fake.newRecords(3);
    std::vector<ToldReport> told;
    told.reserve(ids.size());
    bool hasProblem = false;
    bool isOpen = false;
    const std::string thrown = trial.attempt([&] {
      ClientOptions options = fake.options();
      options.transport = recordingTransport(options.transport, file,
                                             {.onProblem = [&](std::string_view) { hasProblem = true; }});
      isOpen = true;
      const Client client{options};
      for (const std::string& id : ids) {
        told.push_back({.id = id});
        told.back() = toldOf(id, client.paymentRecords().reportFailed(id, {.failedAt = failureTime}));
      }
    });
    fake.check(trial, told);
    const bool isWhole = thrown.empty() && !hasProblem;
    trial.check(!trial.isClean() || isWhole, "a recording fails, although no call does: " + thrown);
    if (isOpen) {
      ClientOptions replayed = fake.options();
      replayed.transport = replayingTransport(file);
      const Client client{replayed};
      for (const std::string& id : ids) {
        const bool isRecorded =
            client.paymentRecords().reportFailed(id, {.failedAt = failureTime}).has_value();
        trial.check(isRecorded || !isWhole, "a request is not recorded, and no problem was reported");
      }
    }
    checkNextCall(trial, Client{fake.options()}, fake);
  };
  testFailingCalls(scenario);
}

}  // namespace tally::test
