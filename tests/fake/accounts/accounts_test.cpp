#include "accounts/accounts.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tables/catalog.h"

namespace tally::fake::detail {

namespace {

class AccountsTest : public testing::Test {
 protected:
  /// Account and mode of a request, or the name of the error.
  std::string authenticate(const std::string& authorization, const std::string* connected = nullptr) {
    const auto authenticated =
        accounts.authenticate({.authorization = &authorization, .connectedAccount = connected});
    if (const auto* refusal = std::get_if<Refusal>(&authenticated))
      return std::string{refusal->response->name};
    const Caller& caller = std::get<Caller>(authenticated);
    return caller.account->account.id + (caller.livemode ? " live" : " sandbox");
  }

  Catalog catalog{{}};
  Accounts accounts{1};
  Account platform = accounts.add(catalog, {});
  Account other = accounts.add(catalog, {});
};

TEST_F(AccountsTest, HaveKeysForBothModes) {
  EXPECT_TRUE(platform.id.starts_with("acct_"));
  EXPECT_TRUE(platform.liveKey.starts_with("sk_live_"));
  EXPECT_TRUE(platform.sandboxKey.starts_with("sk_test_"));
  EXPECT_EQ(authenticate("Bearer " + platform.liveKey), platform.id + " live");
  EXPECT_EQ(authenticate("Bearer " + platform.sandboxKey), platform.id + " sandbox");
  EXPECT_EQ(authenticate("Bearer " + other.sandboxKey), other.id + " sandbox");
}

TEST_F(AccountsTest, AcceptAccessTokens) {
  EXPECT_EQ(authenticate("Bearer " + accounts.addToken(other, nullptr, true)), other.id + " live");
  EXPECT_EQ(authenticate("Bearer " + accounts.addToken(other, nullptr, false)), other.id + " sandbox");
}

TEST_F(AccountsTest, RefuseMissingAndUnknownKeys) {
  const auto none = accounts.authenticate({});
  EXPECT_EQ(std::get<Refusal>(none).response->name, "key_missing");
  EXPECT_EQ(authenticate("Digest x"), "key_missing");
  EXPECT_EQ(authenticate("Bearer sk_test_1"), "key_unknown");
  EXPECT_EQ(authenticate("Basic !"), "key_unknown");
}

TEST_F(AccountsTest, ActOnlyForConnectedAccounts) {
  const std::string platformKey = "Bearer " + platform.liveKey;
  EXPECT_EQ(authenticate(platformKey, &other.id), "account_not_connected");
  accounts.connect(platform, other);
  EXPECT_EQ(authenticate(platformKey, &other.id), other.id + " live");
  EXPECT_EQ(authenticate("Bearer " + platform.sandboxKey, &other.id), other.id + " sandbox");
  EXPECT_EQ(authenticate("Bearer " + other.liveKey, &platform.id), "account_not_connected");
  const std::string unknown = "acct_1";
  EXPECT_EQ(authenticate(platformKey, &unknown), "account_not_connected");
}

/// Its reads would count as its own, and its transactions for both of its allocations.
TEST_F(AccountsTest, AreNotConnectedToThemselves) {
  EXPECT_THROW(accounts.connect(platform, platform), std::invalid_argument);
  const std::string key = "Bearer " + platform.liveKey;
  const auto itself = std::get<Caller>(accounts.authenticate({.authorization = &key}));
  (void)accounts.adopt(catalog, platform.id, {}, itself);  // as a test does that inserts its own account
  EXPECT_EQ(authenticate(key, &platform.id), "account_not_connected");
}

TEST_F(AccountsTest, RefuseAccountsAndKeysOfAnotherService) {
  EXPECT_THROW(accounts.connect(platform, {.id = "acct_1"}), std::invalid_argument);
  EXPECT_THROW(accounts.connect({.id = "acct_1"}, platform), std::invalid_argument);
  EXPECT_THROW(accounts.addToken({.id = "acct_1"}, nullptr, true), std::invalid_argument);
  EXPECT_THROW((void)accounts.ownerOf("sk_test_1"), std::invalid_argument);
}

}  // namespace

}  // namespace tally::fake::detail
