#include <filesystem>
#include <memory>
#include <string>

#include <tally/fake/saved_service.h>

#include <gtest/gtest.h>

#include "fake/support/requests.h"
#include "files/file_input.h"
#include "tenants/host.h"
#include "wire/temporary_folder.h"

namespace tally::fake::detail {

namespace {

/// Two hosts with the same seed make the same keys.
class ImportedService : public testing::Test {
 protected:
  std::string saved_ = exportJson(Host{{}}.add()->service);
  JsonDocument parsed_ = parseInput(saved_);
  JsonInput input_{parsed_};
  Host host_{{}};
  std::shared_ptr<Tenant> imported_ = host_.import(input_);

  void expectOwnKeys(const std::shared_ptr<Tenant>& other) {
    EXPECT_NE(other->account.liveKey, imported_->account.liveKey);
    EXPECT_EQ(host_.find(imported_->account.liveKey), imported_);
    EXPECT_EQ(host_.find(other->account.liveKey), other);
  }
};

TEST_F(ImportedService, SharesNoKeyWithANewOne) {
  expectOwnKeys(host_.add());
}

TEST_F(ImportedService, SharesNoKeyWithItsFork) {
  expectOwnKeys(host_.fork(*imported_, imported_->account.id));
}

/// Imports the second account of a service, and a token of the account, beside a service with the same seed.
/// That service generates the same keys next.
class ServiceAlongsideAnImport : public testing::Test {
 protected:
  struct Origin {
    Host host{{}};
    std::shared_ptr<Tenant> tenant = host.add();
    Account account = host.addBeside(tenant, {});
    std::string token = host.addToken({tenant, account.id, false});
    std::string saved = (host.remove(tenant, tenant->account.id), exportJson(tenant->service));
  };

  Origin origin_{};
  Host host_{{.virtualClock = true}};
  std::shared_ptr<Tenant> own_ = host_.add();
  JsonDocument parsed_ = parseInput(origin_.saved);
  JsonInput input_{parsed_};
  std::shared_ptr<Tenant> imported_ = host_.import(input_);

  void expectImportedKeys() {
    EXPECT_EQ(host_.find(origin_.account.liveKey), imported_);
    EXPECT_EQ(host_.find(origin_.account.sandboxKey), imported_);
    EXPECT_EQ(host_.find(origin_.token), imported_);
    for (const std::string& key : {origin_.account.liveKey, origin_.account.sandboxKey, origin_.token})
      EXPECT_FALSE(own_->has(key)) << "two services with the same key can't be saved";
  }
};

TEST_F(ServiceAlongsideAnImport, AddsAccountsWithOtherKeys) {
  const Account added = host_.addBeside(own_, {.country = "DE"});
  EXPECT_EQ(host_.find(added.liveKey), own_);
  EXPECT_EQ(host_.find(added.sandboxKey), own_);
  EXPECT_EQ(own_->service.accounts().list().size(), 2U);
  expectImportedKeys();
}

TEST_F(ServiceAlongsideAnImport, AddsOtherTokens) {
  const Owner owner{own_, own_->account.id, false};
  (void)host_.addBeside(own_, {});
  for (int n = 0; n < 4; ++n) {
    const std::string token = host_.addToken(owner);
    EXPECT_EQ(host_.find(token), own_);
    EXPECT_TRUE(own_->has(token));
  }
  expectImportedKeys();
}

TEST_F(ServiceAlongsideAnImport, DoesNotShowTheKeysOfTheImport) {
  const Account created = own_->service.addAccount();  // as a request may do
  ASSERT_EQ(created.liveKey, origin_.account.liveKey);
  EXPECT_THROW(host_.know(created, own_), BadInput);
  EXPECT_EQ(host_.find(created.liveKey), imported_);
}

TEST_F(ServiceAlongsideAnImport, AddsTheSameAccountAgainAfterAReset) {
  own_->begin();
  const Account added = host_.addBeside(own_, {});
  const std::uint64_t both = own_->takeSnapshot();
  own_->reset();
  host_.forgetGone(*own_);
  EXPECT_EQ(host_.addBeside(own_, {}).liveKey, added.liveKey);
  EXPECT_FALSE(own_->restore(both)) << "the reset dropped it";
}

/// A request creates an account, so the host can't choose the keys.
class ServiceSavedAlongsideAnImport : public testing::Test {
 protected:
  test::TemporaryFolder folder_{};
  HostOptions options_{.virtualClock = true, .stateFile = (folder_.path() / "state.json").string()};
  Account imported_{};

  void import(Host& host) {
    Host origin{{}};
    const std::shared_ptr<Tenant> tenant = origin.add();
    createByRequest(tenant);
    imported_ = tenant->service.accounts().list().back();
    origin.know(imported_, tenant);
    origin.remove(tenant, tenant->account.id);
    const std::string saved = exportJson(tenant->service);
    const JsonDocument parsed = parseInput(saved);
    JsonInput input{parsed};
    (void)host.import(input);
  }

  static void createByRequest(const std::shared_ptr<Tenant>& own) {
    ASSERT_EQ(own->service.handle(test::post(own->account.sandboxKey, "/v1/accounts", "")).status, 200);
  }

  void expectSavedAndLoaded(Host& host) {
    host.saveState();
    std::filesystem::rename(folder_.path() / "state.json", folder_.path() / "kept.json");
    Host next{{.stateFile = (folder_.path() / "kept.json").string()}};
    ASSERT_TRUE(next.loadState());
    EXPECT_EQ(next.ownerOf(imported_.liveKey).value_or(Owner{}).account, imported_.id);
    EXPECT_EQ(next.ownerOf(imported_.sandboxKey).value_or(Owner{}).account, imported_.id);
    EXPECT_EQ(next.accounts().size(), 2U);
  }
};

TEST_F(ServiceSavedAlongsideAnImport, CanBeLoadedIfAnAccountWasCreatedWithImportedKeys) {
  Host host{options_};
  const std::shared_ptr<Tenant> own = host.add();
  import(host);
  createByRequest(own);
  ASSERT_TRUE(own->has(imported_.liveKey));
  expectSavedAndLoaded(host);
}

TEST_F(ServiceSavedAlongsideAnImport, CanBeLoadedIfTheAccountWasCreatedAfterTheImport) {
  Host host{options_};
  import(host);
  const std::shared_ptr<Tenant> own = host.add();
  createByRequest(own);
  ASSERT_TRUE(own->has(imported_.liveKey));
  expectSavedAndLoaded(host);
}

}  // namespace

}  // namespace tally::fake::detail
