// Spec: "Authentication"; docs/reference/assumptions.md, "Authentication", "Live or sandbox" and "Acting for
// a connected account": who can access which objects, and how other requests are refused.

#include "conformance/support/limit_conformance.h"

namespace tally::conformance {
namespace {

/// A platform, its connected account, and an unrelated account, each with a payment intent in each mode.
class Access : public LimitConformance {
 protected:
  Access() : LimitConformance({.duration = nanoseconds{0}, .limits = false}) {
    service.connections().connect(account, connected);
  }

  struct Owned {
    std::string live;
    std::string sandbox;
  };

  Owned intentsOf(const fake::Account& owner) {
    return {service.insert<PaymentIntent>(owner.liveKey).id.str(),
            service.insert<PaymentIntent>(owner.sandboxKey).id.str()};
  }

  /// Tries every operation that accesses a single object: retrieve, update, and list after it.
  std::string reach(const std::string& key, const std::string& id, const std::string& actFor = {}) {
    const std::string path = "/v1/payment_intents";
    std::vector<HttpRequest> requests{test::get(key, path + '/' + id),
                                      test::post(key, path + '/' + id, "description=Tea"),
                                      test::get(key, path + "?starting_after=" + id)};
    std::string outcomes;
    for (HttpRequest& request : requests) {
      if (!actFor.empty()) request.headers.push_back({"Service-Account", actFor});
      outcomes += (outcomes.empty() ? "" : ", ") + test::errorOf(service.handle(request));
    }
    return outcomes;
  }

  std::size_t found(const std::string& key) {
    const HttpRequest search = test::get(key, "/v1/payment_intents/search?query=created%3E0");
    return test::idsOf(test::bodyOf(service.handle(search))).size();
  }

  static constexpr const char* all = "200, 200, 200";
  static constexpr const char* none =
      "404 resource_missing, 404 resource_missing, 400 resource_missing starting_after";
  static constexpr const char* refused =
      "403 account_not_connected, 403 account_not_connected, 403 account_not_connected";
  static constexpr const char* unknown = "401 key_unknown, 401 key_unknown, 401 key_unknown";

  fake::Account connected = service.addAccount();
  fake::Account stranger = service.addAccount();
  Owned mine = intentsOf(account);
  Owned theirs = intentsOf(connected);
};

using AccessTokens = Access;

TEST_F(Access, IsGrantedToObjectsOfTheAccountAndModeOfTheKey) {
  EXPECT_EQ(reach(account.liveKey, mine.live), all);
  EXPECT_EQ(reach(account.sandboxKey, mine.sandbox), all);
}

TEST_F(Access, IsDeniedToObjectsOfTheOtherMode) {
  EXPECT_EQ(reach(account.liveKey, mine.sandbox), none);
  EXPECT_EQ(reach(account.sandboxKey, mine.live), none);
  EXPECT_EQ(found(account.liveKey), 1U);
  EXPECT_EQ(found(account.sandboxKey), 1U);
}

TEST_F(Access, IsDeniedToObjectsOfOtherAccounts) {
  EXPECT_EQ(reach(stranger.liveKey, mine.live), none);
  EXPECT_EQ(reach(connected.liveKey, mine.live), none) << "a connection has one direction";
  EXPECT_EQ(reach(account.liveKey, theirs.live), none) << "the platform must name the account";
  EXPECT_EQ(found(stranger.liveKey), 0U);
}

TEST_F(Access, IsGrantedToAPlatformThatActsForItsConnectedAccount) {
  EXPECT_EQ(reach(account.liveKey, theirs.live, connected.id), all);
  EXPECT_EQ(reach(account.sandboxKey, theirs.sandbox, connected.id), all);
  EXPECT_EQ(reach(account.liveKey, theirs.sandbox, connected.id), none);
  EXPECT_EQ(reach(account.liveKey, mine.live, connected.id), none);
}

TEST_F(Access, IsRefusedForAnAccountThatIsNotConnectedToTheCaller) {
  EXPECT_EQ(reach(stranger.liveKey, theirs.live, connected.id), refused);
  EXPECT_EQ(reach(connected.liveKey, mine.live, account.id), refused);
  EXPECT_EQ(reach(account.liveKey, mine.live, stranger.id), refused);
  EXPECT_EQ(reach(account.liveKey, mine.live, "acct_nobody"), refused);
}

TEST_F(AccessTokens, ActAsTheirAccount) {
  const std::string token = service.tokens().add(account, true);
  EXPECT_EQ(reach(token, mine.live), all);
  EXPECT_EQ(reach(token, mine.sandbox), none);
  EXPECT_EQ(reach(token, theirs.live, connected.id), all);
  EXPECT_EQ(reach(token, theirs.live, stranger.id), refused);
}

TEST_F(AccessTokens, ForAConnectedAccountActOnlyForThatAccount) {
  const auto second = service.addAccount();
  service.connections().connect(account, second);
  const std::string token = service.tokens().add(account, connected, false);
  EXPECT_EQ(reach(token, theirs.sandbox), all);
  EXPECT_EQ(reach(token, theirs.sandbox, connected.id), all);
  EXPECT_EQ(reach(token, theirs.live), none);
  EXPECT_EQ(reach(token, mine.sandbox), none);
  EXPECT_EQ(reach(token, mine.sandbox, second.id), refused);
}

TEST_F(Access, IsRefusedForAnUnknownKey) {
  EXPECT_EQ(reach("sk_live_nobody", mine.live), unknown);
  EXPECT_EQ(reach("sk_live_nobody", theirs.live, connected.id), unknown);
  EXPECT_EQ(reach(account.id, mine.live), unknown) << "an identifier is not a key";
}

TEST_F(Access, IsRefusedWithoutAKey) {
  HttpRequest request = listRecords("");
  EXPECT_EQ(test::errorOf(service.handle(request)).substr(0, 3), "401");
  request.headers.clear();
  EXPECT_EQ(test::errorOf(service.handle(request)), "401 key_missing");
}

TEST_F(Access, ChangesNothingAndCountsAgainstNoLimitWhenItIsRefused) {
  const auto before = test::bodyOf(service.handle(test::get(account.liveKey, "/v1/payment_intents")));
  Service counting{{.duration = nanoseconds{0}}};
  const auto owner = counting.addAccount();
  const auto other = counting.addAccount();
  for (int i = 0; i < 30; ++i)
    EXPECT_EQ(counting.handle(onBehalfOf(other, listRecords(owner.sandboxKey))).status, 403);
  EXPECT_EQ(counting.handle(listRecords(owner.sandboxKey)).status, 200);
  (void)reach(stranger.liveKey, mine.live);
  (void)reach(stranger.liveKey, mine.live, account.id);
  EXPECT_EQ(test::bodyOf(service.handle(test::get(account.liveKey, "/v1/payment_intents"))), before);
}

}  // namespace
}  // namespace tally::conformance
