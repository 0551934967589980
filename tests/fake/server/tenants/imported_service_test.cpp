#include <memory>
#include <string>

#include <tally/fake/saved_service.h>

#include <gtest/gtest.h>

#include "files/file_input.h"
#include "tenants/host.h"

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

}  // namespace

}  // namespace tally::fake::detail
