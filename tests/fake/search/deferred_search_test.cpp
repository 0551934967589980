// Searches examine objects without holding the service's lock. Other requests are served in the meantime, and
// their changes do not affect the result.
#include <array>
#include <chrono>
#include <functional>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/engine.h"
#include "fake/support/gadget.h"
#include "fake/support/requests.h"
#include "objects/objects.h"

namespace tally::test {

namespace {

using fake::detail::Description;
using fake::detail::Engine;
using fake::detail::ResourceRules;
using tally::detail::AnyOperation;
using tally::detail::OperationKind;
using tally::detail::Resource;
using tally::detail::Schema;
using tally::detail::Struct;

using Ids = std::vector<std::string>;

/// Called whenever the service reads a stored object.
std::function<void()> onReading;

const Struct& gadgetModel = Schema<Gadget>::value;

/// The tables of gadgets, with a model that reports when an object is read.
struct Watched {
  Watched() {
    rules.resource = &resource;
    for (AnyOperation* operation : {&search, &list, &update})
      operation->resource = &resource;
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched() = default;

  static void* create() {
    // A copy, because the function may replace itself.
    if (const auto reading = onReading) reading();
    return gadgetModel.create();
  }

  Struct read{.name = gadgetModel.name,
              .fields = gadgetModel.fields,
              .unknownFields = gadgetModel.unknownFields,
              .create = create,
              .destroy = gadgetModel.destroy,
              .required = gadgetModel.required};
  Resource resource{"test_gadget", "gadgets", "gad_", &read};
  AnyOperation search = gadgetSearch;
  AnyOperation list = gadgetList;
  AnyOperation update{.name = "gadgets.update",
                      .kind = OperationKind::update,
                      .method = Method::post,
                      .path = "/v1/gadgets/{id}",
                      .params = &Schema<GadgetParams>::value,
                      .body = tally::detail::BodyEncoding::form};
  ResourceRules rules = gadgetRules;
  std::array<const AnyOperation*, 3> operations{&search, &list, &update};
  std::array<const ResourceRules*, 1> resources{&rules};
  Description description{
      .operations = operations, .errors = fake::detail::errorResponses, .resources = resources};
};

class DeferredSearches : public testing::Test {
 protected:
  static constexpr int count = 300;  // more than an index update covers

  DeferredSearches() {
    for (int n = 0; n < count; ++n)
      add(n);
  }
  void TearDown() override { onReading = nullptr; }

  void add(int n) {
    Gadget gadget;
    gadget.id = idOf(n);
    gadget.name = "pot";
    gadget.size = n % 10;
    gadget.created = std::chrono::sys_seconds{std::chrono::seconds{n}};
    const auto change = engine->change();
    storeObject(engine->catalog().types().front(), change->accounts.ownerOf(key).collection(0),
                engine->clock()->now(), refTo(gadget), fake::detail::encode(refTo(gadget)), 0);
  }
  static std::string idOf(int n) { return "gad_" + std::to_string(n); }

  boost::json::value get(const std::string& url) { return bodyOf(service.handle(test::get(key, url))); }
  boost::json::value found(const std::string& query) {
    return get("/v1/gadgets/search?limit=100&expand[]=total_count&query=" + query);
  }
  void change(int n, const std::string& how) {
    const auto response = service.handle(test::post(key, "/v1/gadgets/" + idOf(n), "name=pot&" + how));
    ASSERT_EQ(response.status, 200) << response.body;
  }

  /// Whether another thread could be served.
  [[nodiscard]] bool isFree() {
    others.push_back(std::async(std::launch::async, [this] { (void)service.requests().droppedCount(); }));
    return others.back().wait_for(std::chrono::seconds{10}) == std::future_status::ready;
  }

  /// How many objects the service reads for a request, without blocking other requests.
  int readAside(const std::string& url) {
    int readings = 0;
    bool free = true;
    onReading = [&] {
      ++readings;
      free = free && isFree();
    };
    EXPECT_EQ(service.handle(test::get(key, url)).status, 200) << url;
    onReading = nullptr;
    EXPECT_TRUE(free) << url;
    return readings;
  }

  /// Runs `happening` once the service starts to read objects for the next request.
  void meanwhile(std::function<void()> happening) {
    onReading = [this, todo = std::move(happening)] {
      onReading = nullptr;
      ASSERT_TRUE(isFree());
      todo();
    };
  }

  Watched watched{};
  std::shared_ptr<Engine> engine =
      std::make_shared<Engine>(fake::ServiceOptions{.limits = false}, watched.description);
  fake::Service service{engine};
  fake::Account owner = service.addAccount();
  std::string key = owner.sandboxKey;
  std::vector<std::future<void>> others{};  // kept, as destroying one waits for its thread
};

TEST_F(DeferredSearches, DoNotBlockOtherRequests) {
  const std::string url = "/v1/gadgets/search?query=";
  const std::string counted = "&expand[]=total_count";
  EXPECT_EQ(readAside(url + "name~%22nothing%22"), count) << "no index helps";
  EXPECT_EQ(readAside(url + "-name:%22pot%22" + counted), 2 * count);
  EXPECT_EQ(readAside(url + "size:3"), count + 11)
      << "builds the index, then reads a page of ten and one more";
  EXPECT_EQ(readAside(url + "size>3" + counted), 11 + count * 6 / 10) << "with an existing index";
  EXPECT_EQ(readAside(url + "metadata[%22a%22]:%22b%22%20OR%20size:3" + counted), count + 11 + count / 10);
}

TEST_F(DeferredSearches, IncludeListsWithFilters) {
  EXPECT_EQ(readAside("/v1/gadgets?name=nothing"), count);
  EXPECT_EQ(readAside("/v1/gadgets?name=pot&starting_after=gad_250"), 11);
  EXPECT_EQ(readAside("/v1/gadgets?limit=100"), 0) << "independent of the number of objects";
}

TEST_F(DeferredSearches, FindObjectsAsTheyWereWhenTheSearchArrived) {
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
    last += 10;  // with a different size
  }
}

TEST_F(DeferredSearches, AreLoggedBeforeLaterRequests) {
  meanwhile([&] {
    service.clock()->advance(std::chrono::hours{1});
    change(1, "size=1");
  });
  (void)found("name~%22nothing%22");
  const auto log = service.requests().list();
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log[0].operation, "gadgets.search");
  EXPECT_EQ(log[0].status, 200);
  EXPECT_TRUE(log[0].processed);
  EXPECT_EQ(log[0].respondedAt, engine->options().start + engine->options().duration)
      << "not when it was built";
  EXPECT_EQ(log[1].operation, "gadgets.update");
}

TEST_F(DeferredSearches, UpdateTheirIndexWithLaterChanges) {
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
    EXPECT_EQ(readAside(url), std::min(changes, 101)) << "no index is rebuilt";
    EXPECT_EQ(found(query).at("total_count").as_int64(), changes);
  }
}

TEST_F(DeferredSearches, AreSkippedWhenTheResponseIsNotSent) {
  int readings = 0;
  onReading = [&] { ++readings; };
  for (const fake::Fault fault :
       {fake::Fault::responseLost, fake::Fault::emptyPage, fake::Fault::errorAfterProcessing}) {
    service.faults().inject({.operation = "gadgets.search", .fault = fault});
    (void)service.handle(test::get(key, "/v1/gadgets/search?query=size:3"));
  }
  EXPECT_EQ(readings, 0);
  for (const auto& logged : service.requests().list())
    EXPECT_TRUE(logged.processed) << static_cast<int>(logged.fault);
}

}  // namespace

}  // namespace tally::test
