#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <tally/fake/saved_service.h>
#include <tally/payment_intents.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"
#include "format/control_json.h"
#include "support/random_runs.h"

namespace tally::fake::detail {

namespace {

namespace json = boost::json;

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::errorOf;
using test::messageOf;
using testing::HasSubstr;

/// Sends requests of all kinds to a service, as random numbers decide.
class FurtherRequests {
 public:
  FurtherRequests(Service& service, Account platform, Account connected)
      : service_(service), platform_(std::move(platform)), connected_(std::move(connected)) {}

  /// The same callers, with what they know, of another service.
  FurtherRequests(Service& service, const FurtherRequests& other)
      : service_(service),
        platform_(other.platform_),
        connected_(other.connected_),
        ids_(other.ids_),
        cursors_(other.cursors_) {}

  /// One step. The responses of all steps are the same for the same numbers and the same state.
  std::string step(std::size_t what, std::size_t which) {
    const std::string& key = which % 5 == 0 ? connected_.sandboxKey : platform_.sandboxKey;
    const std::string path = records + (ids_.empty() ? "" : "/" + ids_[which % ids_.size()]);
    switch (what) {
      case 0:
        return remember(service_.insert(key, "payment_record",
                                        R"({"description":")" + std::to_string(which) + "\"}",
                                        which % 3 == 0 ? "failed" : ""));
      case 1:
        return text(test::post(key, path + "/report_payment_attempt_guaranteed",
                               "guaranteed_at=1767225600&metadata[n]=" + std::to_string(which)));
      case 2:
        return text(test::get(key, path));
      case 3:
        return text(test::get(key, records + "?limit=" + std::to_string(1 + which % 4)));
      case 4:
        return search(key, which);
      case 5:
        return remember(
            service_.handle(test::post(key, "/v1/payment_intents", "amount=5&currency=usd")).body);
      case 6:
        return acting(which);
      case 7:
        service_.transactions().record(key, static_cast<std::int64_t>(1 + which % 9));
        return {};
      case 8:
        service_.clock()->advance(milliseconds{which % 2'000});
        return {};
      case 9:
        return remember(service_.handle(test::post(key, "/v1/accounts", "country=DE")).body);
      default:
        return usage();
    }
  }

 private:
  static std::string joined(const HttpResponse& response) {
    std::string all = std::to_string(response.status);
    for (const Header& header : response.headers)
      all += '\n' + header.name + ": " + header.value;
    return all + '\n' + response.body;
  }
  std::string text(const HttpRequest& request) { return joined(service_.handle(request)); }

  std::string remember(const std::string& object) {
    const json::value parsed = json::parse(object);
    if (const auto* id = parsed.as_object().if_contains("id"))
      if (std::string body = test::text(*id); body.starts_with("pr_")) ids_.push_back(std::move(body));
    return object;
  }

  /// Continues at the cursor of the previous search, if it has one.
  std::string search(const std::string& key, std::size_t which) {
    const std::string url =
        records + "/search?limit=2&query=description~%22" + std::to_string(which % 10) + "%22";
    const HttpResponse first = service_.handle(test::get(key, url));
    std::string all = joined(first);
    const json::value firstPage = json::parse(first.body);
    const auto* following = firstPage.as_object().if_contains("next_page");
    if (following != nullptr && following->is_string())
      cursors_.push_back(url + "&page=" + test::text(*following));
    if (!cursors_.empty()) all += text(test::get(key, cursors_[which % cursors_.size()]));
    return all;
  }

  std::string acting(std::size_t which) {
    HttpRequest request =
        test::get(platform_.sandboxKey, records + "?limit=" + std::to_string(1 + which % 3));
    request.headers.push_back({"Service-Account", connected_.id});
    return text(request);
  }

  std::string usage() {
    std::string all;
    for (const Account& account : {platform_, connected_})
      for (const LimitUsage& line : service_.usage().list(account))
        all += json::serialize(detail::toJson(line)) + '\n';
    for (const Account& account : {platform_, connected_})
      for (const LimitHistory& line : service_.usage().history(account))
        all += json::serialize(detail::toJson(line)) + '\n';
    return all;
  }

  Service& service_;
  Account platform_;
  Account connected_;
  std::vector<std::string> ids_{};
  std::vector<std::string> cursors_{};
};

struct Filled {
  Service service{{.seed = 7, .lockWait = seconds{2}}};
  Account platform = service.addAccount({.country = "DE"});
  Account connected = service.addAccount({.industry = "bakery"});

  Filled() {
    service.connections().connect(platform, connected);
    (void)service.tokens().add(platform, connected, false);
    (void)service.tokens().add(platform, true);
    service.limits().set({.limit = "endpoint_rate", .value = 12, .operation = "payment_records.list"});
    service.limits().set({.limit = "global_rate", .livemode = false, .country = "DE"});
    service.limits().set(connected, {.limit = "endpoint_rate", .value = 3});
    service.durations().set("payment_records.retrieve", milliseconds{7});
    service.faults().inject({.operation = "payment_records.list", .times = 2, .error = "rate_limit"});
    service.faults().inject({.operation = "payouts.create",
                             .response = HttpResponse{.status = 503, .headers = {{"A", "b"}}, .body = "c"},
                             .headers = {{"Retry-After", "1"}},
                             .latency = milliseconds{20}});
  }
};

std::pair<std::size_t, std::size_t> anyStepOf() {
  return {*rc::gen::inRange<std::size_t>(0, 11), *rc::gen::inRange<std::size_t>(0, 1'000)};
}

TEST(SavedService, ContinuesLikeTheOriginal) {
  test::holdsInRuns(40, [] {
    Filled filled;
    FurtherRequests before{filled.service, filled.platform, filled.connected};
    for (int n = *rc::gen::inRange(0, 60); n > 0; --n) {
      const auto [what, which] = anyStepOf();
      (void)before.step(what, which);
    }
    filled.service.clock()->advance(milliseconds{50});  // until no request is in progress
    if (*rc::gen::arbitrary<bool>()) filled.service.clock()->freeze();
    const std::string saved = exportJson(filled.service);
    Service restored = importJson(saved);
    RC_ASSERT(exportJson(restored) == saved);
    RC_ASSERT(restored.clock()->reading() == filled.service.clock()->reading());
    FurtherRequests same{restored, before};
    for (int n = 0; n < 60; ++n) {
      const auto [what, which] = anyStepOf();
      RC_ASSERT(same.step(what, which) == before.step(what, which));
    }
    RC_ASSERT(exportJson(restored) == exportJson(filled.service));
    RC_ASSERT(restored.addAccount().liveKey == filled.service.addAccount().liveKey);
    RC_ASSERT(restored.clientOptions("k").jitterSeed == filled.service.clientOptions("k").jitterSeed);
    RC_ASSERT(restored.fork(3).accounts().list().front().liveKey ==
              filled.service.fork(3).accounts().list().front().liveKey);
  });
}

TEST(SavedService, IsTheSameWhenExportedAgainAfterItsRefusalsAreForgotten) {
  Service service{{.seed = 7}};
  const std::string key = service.addAccount().sandboxKey;
  service.limits().set({.limit = "global_rate", .value = 1});
  for (int n = 0; n < 3; ++n)
    (void)service.handle(test::get(key, records));
  service.clock()->advance(std::chrono::hours{25});
  const std::string saved = exportJson(service);
  EXPECT_EQ(exportJson(importJson(saved)), saved);
}

TEST(SavedService, KeepsFaultsAndKeysButNotTheLog) {
  Filled filled;
  const Service restored = importJson(exportJson(filled.service));
  EXPECT_EQ(restored.faults().pending(), filled.service.faults().pending());
  const auto keys = [](const Service& service) {
    std::vector<std::string> all;
    for (const Account& account : service.accounts().list())
      for (const std::string& part : {account.id, account.liveKey, account.sandboxKey})
        all.push_back(part);
    return all;
  };
  EXPECT_EQ(keys(restored), keys(filled.service));
  EXPECT_EQ(restored.requests().size(), 0U) << "the log is not saved";
}

TEST(SavedService, KeepsFaultDurationsToTheNanosecond) {
  using std::chrono::nanoseconds;
  Service service{};
  service.faults().inject({.latency = nanoseconds{1'000'001},
                           .after = nanoseconds{3},
                           .period = nanoseconds{500},
                           .latencyUpTo = nanoseconds{2'000'002},
                           .chunks = 2,
                           .pause = nanoseconds{70}});
  service.faults().inject({.latency = milliseconds{5}});
  EXPECT_EQ(importJson(exportJson(service)).faults().pending(), service.faults().pending());
}

TEST(SavedService, ContinuesFaultsLikeTheOriginal) {
  Service service{{.limits = false}};
  const std::string key = service.addAccount().sandboxKey;
  service.faults().remove(service.faults().inject({.error = "api_error"}));
  service.faults().inject({.times = FaultRule::unlimited, .error = "rate_limit", .every = 3});
  service.faults().inject({.times = FaultRule::unlimited,
                           .error = "api_error",
                           .probability = 0.5,
                           .after = milliseconds{1},
                           .period = seconds{3}});
  const auto statuses = [&key](Service& from) {
    std::vector<int> all;
    for (int n = 0; n < 100; ++n) {
      all.push_back(from.handle(test::get(key, "/v1/payouts")).status);
      from.clock()->advance(milliseconds{50});
    }
    return all;
  };
  service.clock()->advance(milliseconds{2});
  for (int n = 0; n < 5; ++n)
    (void)service.handle(test::get(key, "/v1/payouts"));
  service.clock()->advance(milliseconds{50});  // until no request is in progress

  Service restored = importJson(exportJson(service));

  ASSERT_EQ(restored.faults().list().size(), 2U);
  for (std::size_t n = 0; n < 2; ++n) {
    const InjectedFault got = restored.faults().list()[n];
    const InjectedFault expected = service.faults().list()[n];
    EXPECT_EQ(got.id, expected.id);
    EXPECT_EQ(got.hits, expected.hits);
    EXPECT_EQ(got.rule, expected.rule);
    EXPECT_EQ(got.from, expected.from);
    EXPECT_EQ(got.until, expected.until);
  }
  EXPECT_EQ(statuses(restored), statuses(service));
  EXPECT_EQ(restored.faults().inject({.error = "api_error"}),
            service.faults().inject({.error = "api_error"}));
}

TEST(SavedService, OmitsHolds) {
  Filled filled;
  (void)filled.service.insert(filled.platform.sandboxKey, "payment_record", R"({"id":"pr_1"})");
  const Hold lock = filled.service.holds().lockObject(filled.platform.sandboxKey, "pr_1");
  const Hold units = filled.service.holds().takeConcurrency(filled.platform.sandboxKey, "payouts.create", 30);
  Service restored = importJson(exportJson(filled.service));
  restored.clock()->freeze();
  EXPECT_EQ(errorOf(restored.handle(test::post(filled.platform.sandboxKey,
                                               records + "/pr_1/report_payment_attempt_failed",
                                               "failed_at=1767225600"))),
            "200");
}

/// An intent of `connected`, which takes three updates per hour, and two that the platform made.
class CountedObject : public testing::Test {
 protected:
  CountedObject() {
    filled.service.limits().set({.limit = "payment_intent_updates", .value = 3});
    for (int n = 0; n < 2; ++n)
      EXPECT_EQ(errorOf(filled.service.handle(named())), "200");
  }

  [[nodiscard]] HttpRequest own() const {
    return test::post(filled.connected.sandboxKey, "/v1/payment_intents/" + id, "description=x");
  }
  [[nodiscard]] HttpRequest named() const {
    HttpRequest request =
        test::post(filled.platform.sandboxKey, "/v1/payment_intents/" + id, "description=x");
    request.headers.push_back({"Service-Account", filled.connected.id});
    return request;
  }

  Filled filled{};
  std::string id = filled.service.insert<PaymentIntent>(filled.connected.sandboxKey).id.str();
};

TEST_F(CountedObject, IsSavedWithTheRequestsFromAllAccounts) {
  Service restored = importJson(exportJson(filled.service));
  EXPECT_EQ(errorOf(restored.handle(own())), "200");
  EXPECT_EQ(errorOf(restored.handle(named())), "429 rate_limit");
  EXPECT_EQ(errorOf(restored.handle(own())), "429 rate_limit");
}

/// Earlier versions counted them for the account whose key made the request.
TEST_F(CountedObject, IsLoadedFromAFileThatCountsItForAnotherAccount) {
  json::value saved = json::parse(exportJson(filled.service));
  json::array& accounts = saved.at("accounts").as_array();
  const auto eventsOf = [&](std::size_t account) -> json::array& {
    return accounts.at(account).at("sandbox").at("events").as_array();
  };
  ASSERT_EQ(eventsOf(1).size(), 1U);
  eventsOf(0).push_back(eventsOf(1).front());
  eventsOf(1).clear();
  Service restored = importJson(json::serialize(saved));
  EXPECT_EQ(restored.usage().of(filled.platform.sandboxKey, "global_rate").used, 2);
  for (int n = 0; n < 3; ++n)
    EXPECT_EQ(errorOf(restored.handle(named())), "200");
  EXPECT_EQ(errorOf(restored.handle(own())), "429 rate_limit");
}

/// All texts with one change: a member removed, renamed or of another type, or a character removed.
class Mutations {
 public:
  explicit Mutations(const json::value& original) { mutate(original, {}); }

  struct Path {
    std::vector<std::variant<std::string, std::size_t>> steps{};
  };

  [[nodiscard]] const std::vector<json::value>& all() const { return all_; }

 private:
  static json::value& at(json::value& root, const Path& path) {
    json::value* place = &root;
    for (const auto& step : path.steps)
      place = std::holds_alternative<std::string>(step) ? &place->as_object().at(std::get<std::string>(step))
                                                        : &place->as_array().at(std::get<std::size_t>(step));
    return *place;
  }

  template <class Edit>
  void add(const Path& path, const Edit& edit) {
    json::value copy = root_;
    edit(at(copy, path));
    all_.push_back(std::move(copy));
  }

  void mutate(const json::value& original, const Path& path) {
    if (path.steps.empty()) root_ = original;
    for (const json::value& other :
         {json::value(nullptr), json::value(true), json::value(-1), json::value(1.5), json::value("?"),
          json::value(json::array{1}), json::value(json::object{{"?", 1}})})
      if (!path.steps.empty() && other.kind() != original.kind())
        add(path, [&](json::value& place) { place = other; });
    if (const auto* object = original.if_object()) {
      for (const auto& [name, value] : *object) {
        add(path, [&](json::value& place) { place.as_object().erase(name); });
        add(path, [&](json::value& place) { place.as_object()[std::string{name} + "?"] = value; });
        Path inner = path;
        inner.steps.emplace_back(std::string{name});
        mutate(value, inner);
      }
    }
    if (const auto* array = original.if_array())
      for (std::size_t i = 0; i < array->size(); ++i) {
        Path inner = path;
        inner.steps.emplace_back(i);
        mutate((*array)[i], inner);
      }
  }

  json::value root_{};
  std::vector<json::value> all_{};
};

class SavedServices : public ControlTest {
 protected:
  std::string importing(const std::string& saved) {
    const HttpResponse response =
        send({.method = Method::post, .url = "/_fake/import", .headers = {}, .body = saved});
    return response.status == 200 ? "" : messageOf(response);
  }
  static std::string small() {
    Filled filled;
    (void)filled.service.insert(filled.platform.sandboxKey, "payment_record", "{}", "failed");
    (void)filled.service.handle(test::get(filled.platform.sandboxKey, records));
    (void)filled.service.handle(
        test::post(filled.platform.sandboxKey, "/v1/payment_intents", "amount=5&currency=usd"));
    filled.service.transactions().record(filled.platform.sandboxKey);
    filled.service.clock()->advance(milliseconds{100});
    return exportJson(filled.service);
  }
  static std::string replaced(std::string text, std::string_view what, std::string_view with) {
    const std::size_t found = text.find(what);
    EXPECT_NE(found, std::string::npos) << what;
    return text.replace(found, what.size(), with);
  }
};

/// A mutation either is refused or has no effect beyond what it says; nothing crashes, and nothing is added
/// if it is refused.
TEST_F(SavedServices, AreEitherImportedOrRefusedWhenMutated) {
  const std::string text = small();
  const Mutations mutations{json::parse(text)};
  EXPECT_GT(mutations.all().size(), 1'000U);
  std::size_t refused = 0;
  for (const json::value& mutation : mutations.all()) {
    const std::size_t before = host.accounts().size();
    const std::string problem = importing(json::serialize(mutation));
    const std::size_t after = host.accounts().size();
    if (problem.empty()) {
      ASSERT_GT(after, before);
      for (const Account& account : host.accounts())
        if (account.id != first.account.id) (void)host.remove(host.find(account.liveKey), account.id);
      continue;
    }
    ++refused;
    ASSERT_EQ(after, before) << problem;
    ASSERT_THAT(problem, HasSubstr(":")) << "no place";
  }
  EXPECT_GT(refused * 10, mutations.all().size() * 8) << refused << " of " << mutations.all().size();
}

TEST_F(SavedServices, AreRefusedWhenTruncated) {
  const std::string text = small();
  for (std::size_t size = 1; size < text.size(); size += 1 + text.size() / 300)
    EXPECT_THAT(importing(text.substr(0, size)), HasSubstr("this is not JSON")) << size;
  EXPECT_EQ(host.accounts().size(), 1U);
  EXPECT_EQ(importing(text), "");
}

TEST_F(SavedServices, AreRefusedWithThePositionOfTheProblem) {
  const std::string text = small();
  const auto problem = [&](std::string_view what, std::string_view with) {
    return importing(replaced(text, what, with));
  };
  EXPECT_THAT(problem(R"("version":1)", R"("version":2)"),
              HasSubstr("version: this is version 2; this tally-fake reads version 1"));
  EXPECT_THAT(problem("tally-fake service", "tally-fake state"),
              HasSubstr("format: expected 'tally-fake service'"));
  EXPECT_THAT(
      problem(R"("state":"failed")", R"("state":"lost")"),
      HasSubstr("accounts[0].sandbox.objects.payment_record[0]: a payment record has no state 'lost'"));
  EXPECT_THAT(problem(R"("livemode":false,"metadata")", R"("livemode":true,"metadata")"),
              HasSubstr("livemode: expected the mode that contains the object"));
  EXPECT_THAT(problem(R"("id":"pr_)", R"("id":"xx_)"),
              HasSubstr("is not a valid identifier of a payment record"));
  EXPECT_THAT(problem(R"("object":"payment_record",)", R"("object":"payment_record","colour":"red",)"),
              HasSubstr("colour: unknown field"));
  EXPECT_THAT(problem(R"("payment_record":[)", R"("payment_recordx":[)"),
              HasSubstr("accounts[0].sandbox.objects.payment_recordx: unknown field"));
  EXPECT_THAT(problem(R"("operation":"payment_records.retrieve")", R"("operation":"none")"),
              HasSubstr("durations[0].operation: unknown operation 'none'"));
  EXPECT_THAT(problem(R"("limit":"endpoint_rate","value":12)", R"("limit":"none","value":12)"),
              HasSubstr("limits[0]: unknown limit 'none'"));
  EXPECT_THAT(problem(R"("seed":"7")", R"("seed":"-7")"), HasSubstr("options.seed: expected an integer"));
  EXPECT_THAT(problem(R"("search_lag_s":0)", R"("search_lag_s":-1)"),
              HasSubstr("options: a duration can't be negative"));
  EXPECT_THAT(problem(R"("count":1)", R"("count":0)"), HasSubstr("count: expected a number of at least 1"));
  EXPECT_EQ(host.accounts().size(), 1U);
}

TEST_F(SavedServices, CanBeImportedOnlyOnceTheirAccountIsDeleted) {
  (void)insertOne();
  const std::string token = test::text(told(post("/_fake/tokens")).at("token"));
  const std::string saved = json::serialize(told(get("/_fake/export")));
  EXPECT_THAT(importing(saved), HasSubstr("is in use; first delete its account"));
  HttpRequest removal = test::get(key, "/_fake/accounts/" + first.account.id);
  EXPECT_EQ(send(removal, "DELETE").status, 200);
  EXPECT_EQ(errorOf(get(records)), "401 key_unknown");
  EXPECT_EQ(importing(saved), "");
  EXPECT_EQ(told(get(records)).at("data").as_array().size(), 1U);
  EXPECT_EQ(errorOf(send(test::get(token, records))), "200");
  EXPECT_EQ(json::serialize(told(get("/_fake/export"))).size() > 100, true);
  (void)insertOne();
  (void)told(post("/_fake/reset"));
  EXPECT_EQ(told(get(records)).at("data").as_array().size(), 1U) << "a reset restores what was imported";
}

/// A new service of the host has another seed than those it has made, but not than an imported one.
TEST_F(SavedServices, DoNotShareKeysWithNewAccounts) {
  Host other{{.virtualClock = true}};
  (void)other.add();
  const Account second = other.add()->account;
  const json::value saved = json::parse(exportJson(other.find(second.liveKey)->service));
  EXPECT_EQ(importing(json::serialize(saved)), "");
  const Account made = host.add()->account;
  EXPECT_NE(made.liveKey, second.liveKey);
  EXPECT_EQ(host.accounts().size(), 3U);
}

TEST_F(SavedServices, CannotBeWrittenWithoutAStateFile) {
  EXPECT_THAT(messageOf(post("/_fake/state/save")), HasSubstr("start it with --state FILE"));
}

}  // namespace

}  // namespace tally::fake::detail
