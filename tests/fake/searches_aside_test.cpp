// Searches look at the objects without the service's lock: others are answered meanwhile, and what they
// change is no part of what is found.
#include <array>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "codec/json_writer.h"
#include "engine/server.h"
#include "gadget.h"
#include "support.h"

namespace tally::test {

namespace {

using fake::detail::Collection;
using fake::detail::Description;
using fake::detail::ResourceRules;
using fake::detail::Server;
using tally::detail::Operation;
using tally::detail::OperationKind;
using tally::detail::Resource;
using tally::detail::Schema;
using tally::detail::Struct;

using Ids = std::vector<std::string>;

/// Called whenever the service reads an object that it stores.
std::function<void()> onReading;

const Struct& model = Schema<Gadget>::value;

/// The tables of gadgets, but for a model that tells when an object is read.
struct Watched {
  Watched() {
    rules.resource = &resource;
    rules.transitions = {};
    for (Operation* operation : {&search, &list, &update})
      operation->resource = &resource;
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched() = default;

  static void* create() {
    // A copy, as the function may replace itself.
    if (const auto reading = onReading) reading();
    return model.create();
  }

  Struct read{.name = model.name,
              .fields = model.fields,
              .unknownFields = model.unknownFields,
              .create = create,
              .destroy = model.destroy,
              .required = model.required};
  Resource resource{"test_gadget", "gadgets", "gad_", &read};
  Operation search = gadgetSearch;
  Operation list = gadgetList;
  Operation update{.name = "gadgets.update",
                   .kind = OperationKind::update,
                   .method = Method::post,
                   .path = "/v1/gadgets/{id}",
                   .params = &Schema<GadgetParams>::value,
                   .body = tally::detail::BodyEncoding::form};
  ResourceRules rules = gadgetRules;
  std::array<const Operation*, 3> operations{&search, &list, &update};
  std::array<const ResourceRules*, 1> resources{&rules};
  Description description{
      .operations = operations, .errors = fake::detail::errorAnswers, .resources = resources};
};

class SearchesAside : public testing::Test {
 protected:
  static constexpr int count = 300;  // so many that not all changes of them are told to an index at once

  SearchesAside() {
    for (int n = 0; n < count; ++n)
      add(n);
  }
  ~SearchesAside() override { onReading = nullptr; }

  Collection& collection() { return server.state->accounts.ownerOf(key).collection(0); }

  void add(int n) {
    Gadget gadget;
    gadget.id = idOf(n);
    gadget.name = "pot";
    gadget.size = n % 10;
    std::string json;
    tally::detail::writeJson(json, refTo(gadget));
    collection().add(gadget.id.str(), json, n, {}, 0);
  }
  static std::string idOf(int n) { return "gad_" + std::to_string(n); }

  boost::json::value get(const std::string& url) { return bodyOf(server.handle(test::get(key, url))); }
  boost::json::value found(const std::string& query) {
    return get("/v1/gadgets/search?limit=100&expand[]=total_count&query=" + query);
  }
  void change(int n, const std::string& how) {
    const auto answer = server.handle(test::post(key, "/v1/gadgets/" + idOf(n), "name=pot&" + how));
    ASSERT_EQ(answer.status, 200) << answer.body;
  }

  /// Whether another thread could be answered.
  [[nodiscard]] bool isFree() {
    return std::async(std::launch::async,
                      [this] { return std::unique_lock{server.mutex, std::try_to_lock}.owns_lock(); })
        .get();
  }

  /// How many objects a request made the service read, during which nobody else is held up.
  int readAside(const std::string& url) {
    int readings = 0;
    bool free = true;
    onReading = [&] {
      ++readings;
      free = free && isFree();
    };
    EXPECT_EQ(server.handle(test::get(key, url)).status, 200) << url;
    onReading = nullptr;
    EXPECT_TRUE(free) << url;
    return readings;
  }

  /// Has something happen once the service has begun to look at objects for what comes next.
  void meanwhile(std::function<void()> happening) {
    onReading = [this, todo = std::move(happening)] {
      onReading = nullptr;
      ASSERT_TRUE(isFree());
      todo();
    };
  }

  Watched watched{};
  Server server{fake::ServiceOptions{.limits = false}, watched.description};
  fake::Account owner = server.addAccount();
  std::string key = owner.sandboxKey;
};

TEST_F(SearchesAside, HoldUpNobody) {
  const std::string url = "/v1/gadgets/search?query=";
  const std::string counted = "&expand[]=total_count";
  EXPECT_EQ(readAside(url + "name~%22nothing%22"), count) << "no index helps";
  EXPECT_EQ(readAside(url + "-name:%22pot%22" + counted), 2 * count);
  EXPECT_EQ(readAside(url + "size:3"), count + 11)
      << "the index is made, then a page of ten and one more read";
  EXPECT_EQ(readAside(url + "size>3" + counted), 11 + count * 6 / 10) << "of an index that there is";
  EXPECT_EQ(readAside(url + "metadata[%22a%22]:%22b%22%20OR%20size:3" + counted), count + 11 + count / 10);
}

TEST_F(SearchesAside, SoDoListsThatAreFiltered) {
  EXPECT_EQ(readAside("/v1/gadgets?name=nothing"), count);
  EXPECT_EQ(readAside("/v1/gadgets?name=pot&starting_after=gad_250"), 11);
  EXPECT_EQ(readAside("/v1/gadgets?limit=100"), 0) << "which takes as long however many there are";
}

TEST_F(SearchesAside, FindWhatThereWasWhenTheyCame) {
  int last = count;
  for (const char* query : {"size:3", "size:3%20OR%20name~%22nothing%22", "size:3%20AND%20name:%22pot%22"}) {
    const auto before = found(query);
    meanwhile([&] {
      change(13, "size=4");
      change(14, "size=3");
      add(last);
    });
    EXPECT_EQ(found(query), before) << query;
    change(13, "size=3");
    change(14, "size=4");
    last += 10;  // of another size
  }
}

TEST_F(SearchesAside, AreLoggedBeforeWhatHappensMeanwhile) {
  meanwhile([&] {
    server.clock->advance(std::chrono::hours{1});
    change(1, "size=1");
  });
  (void)found("name~%22nothing%22");
  const auto log = server.state->log.entries();
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log[0].operation, "gadgets.search");
  EXPECT_EQ(log[0].status, 200);
  EXPECT_TRUE(log[0].processed);
  EXPECT_EQ(log[0].answered, server.options.start + server.options.duration) << "not when it was made";
  EXPECT_EQ(log[1].operation, "gadgets.update");
}

TEST_F(SearchesAside, GiveTheirIndexBackWithWhatHasHappenedMeanwhile) {
  for (const int changes : {0, 3, 200}) {
    const std::string query = "metadata[%22" + std::to_string(changes) + "%22]:%22a%22%20OR%20size:77";
    (void)found("size:77");
    meanwhile([&] {
      for (int n = 0; n < changes; ++n)
        change(n, "metadata[" + std::to_string(changes) + "]=a");
      add(2'000 + changes);
    });
    EXPECT_EQ(found(query).at("total_count").as_int64(), 0) << changes;
    const std::string url = "/v1/gadgets/search?limit=100&query=" + query;
    EXPECT_EQ(readAside(url), std::min(changes, 101)) << "no index is made again";
    EXPECT_EQ(found(query).at("total_count").as_int64(), changes);
  }
}

TEST_F(SearchesAside, LookAtNothingForAnAnswerThatIsNotGiven) {
  int readings = 0;
  onReading = [&] { ++readings; };
  for (const fake::Fault fault :
       {fake::Fault::answerLost, fake::Fault::emptyPage, fake::Fault::errorAfterProcessing}) {
    server.state->scripts.add({.operation = "gadgets.search", .fault = fault});
    (void)server.handle(test::get(key, "/v1/gadgets/search?query=size:3"));
  }
  EXPECT_EQ(readings, 0);
  for (const auto& logged : server.state->log.entries())
    EXPECT_TRUE(logged.processed) << static_cast<int>(logged.fault);
}

}  // namespace

}  // namespace tally::test
