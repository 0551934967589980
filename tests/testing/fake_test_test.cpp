#include <memory>
#include <string>

#include <tally/pacer.h>
#include <tally/testing/fake_test.h>
#include <tally/testing/request_matchers.h>
#include <tally/testing/result_matchers.h>

#include <gtest/gtest-spi.h>

namespace {

namespace fake = tally::fake;
using tally::testing::FakeTest;
using tally::testing::HasError;
using tally::testing::HasHeader;
using tally::testing::IsOk;

TEST_F(FakeTest, HasAClientConnectedToItsService) {
  const auto payment = service.insert<tally::PaymentRecord>(key);
  EXPECT_THAT(client.paymentRecords().retrieve(payment.id), IsOk());
  EXPECT_EQ(service.requests().size(), 1U);
  EXPECT_EQ(service.requests().list().front().account, account.id);
}

class SlowFixture : public FakeTest {
 protected:
  SlowFixture() : FakeTest{{.duration = std::chrono::seconds{7}}} {}
};

TEST_F(SlowFixture, PassesItsOptionsToTheService) {
  const auto begin = client.clock().now();
  EXPECT_TRUE(client.files().list().collect(1));
  EXPECT_EQ(client.clock().now() - begin, std::chrono::seconds{7});
}

class PatientFixture : public FakeTest {
 protected:
  PatientFixture() : FakeTest({.maxNetworkRetries = 3}) {}
};

TEST_F(PatientFixture, PassesItsOptionsToTheClient) {
  service.faults().inject({.times = 3, .error = "lock_timeout"});
  EXPECT_THAT(client.files().list().collect(1), IsOk());
}

class SlowAndPatientFixture : public FakeTest {
 protected:
  SlowAndPatientFixture()
      : FakeTest({.duration = std::chrono::seconds{7}},
                 {.baseUrl = "https://mine.test", .maxNetworkRetries = 1}) {}
};

TEST_F(SlowAndPatientFixture, PassesItsOptionsToTheServiceAndTheClient) {
  service.faults().inject({.error = "lock_timeout"});
  const auto begin = client.clock().now();
  EXPECT_THAT(client.files().list().collect(1), IsOk());
  EXPECT_GE(client.clock().now() - begin, std::chrono::seconds{14});
  EXPECT_THAT(service.requests().list(), testing::Each(HasHeader("Authorization", "Bearer " + key)));
  EXPECT_EQ(service.requests().list().front().request.url, "https://mine.test/v1/files");
}

class PlainFixture : public FakeTest {
 protected:
  PlainFixture() : FakeTest({}) {}
};

TEST_F(PlainFixture, DoesNotEnableRetries) {
  service.faults().inject({.error = "lock_timeout"});
  EXPECT_FALSE(client.files().list().collect(1));
}

/// Eighty calls in eight threads: for lack of a pacer, a limit refuses most of them.
int failuresOf(tally::fake::Service& service, const tally::Client& client, const std::string& key) {
  int failures = 0;
  service.clock()->runThreads(8, [&](std::size_t) {
    for (const std::string& id : service.insertMany(key, "payment_record", 10))
      if (!client.paymentRecords().retrieve(id)) ++failures;
  });
  return failures;
}

TEST_F(FakeTest, HasAClientWithoutAPacer) {
  EXPECT_GT(failuresOf(service, client, key), 50);
}

class PacedFixture : public FakeTest {
 protected:
  PacedFixture() : FakeTest({.pacer = std::make_shared<tally::Pacer>()}) {}
};

TEST_F(PacedFixture, KeepsEightThreadsWithinTheLimits) {
  EXPECT_EQ(failuresOf(service, client, key), 0);
}

TEST_F(FakeTest, RunsThreadsOnTheClockOfItsService) {
  const auto begin = client.clock().now();
  runThreads(4, [&](std::size_t n) {
    for (std::size_t i = 0; i <= n; ++i)
      EXPECT_THAT(client.files().list().collect(1), IsOk());
  });
  EXPECT_EQ(client.clock().now() - begin, 4 * fake::ServiceOptions{}.duration)
      << "they wait at the same time";
}

/// A test that runs inside a test.
class Inner : public FakeTest {
 public:
  using FakeTest::client;
  using FakeTest::service;
  using FakeTest::TearDown;

 private:
  void TestBody() override {}
};

TEST(FakeTestTearDown, FailsIfAFaultNeverHappened) {
  Inner inner;
  inner.service.faults().inject({.operation = "files.list", .error = "lock_timeout"});
  EXPECT_NONFATAL_FAILURE(
      inner.TearDown(),
      "never occurred: files.list: error lock_timeout (1 time left); no logged request matched");
}

TEST(FakeTestTearDown, CountsTheRequestsThatAnotherFaultAffected) {
  Inner inner;
  inner.service.faults().inject({.operation = "payouts.list", .error = "lock_timeout"});
  inner.service.faults().inject({.error = "lock_timeout"});
  for (const auto& payout : inner.client.payouts().list())
    EXPECT_FALSE(payout);
  EXPECT_NONFATAL_FAILURE(inner.TearDown(), "; 1 logged request matched, of which 1 hit a fault");
}

TEST(FakeTestTearDown, FailsForEachUnusedFault) {
  Inner inner;
  inner.service.faults().inject({.operation = "files.list", .error = "lock_timeout"});
  inner.service.faults().inject({.operation = "payouts.list", .error = "lock_timeout"});
  testing::TestPartResultArray failures;
  {
    const testing::ScopedFakeTestPartResultReporter reporter{
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures};
    inner.TearDown();
  }
  EXPECT_EQ(failures.size(), 2);
}

TEST(FakeTestTearDown, PassesIfAllFaultsHappened) {
  Inner inner;
  inner.service.faults().inject({.error = "lock_timeout"});
  EXPECT_THAT(*inner.client.files().list().begin(), HasError(tally::ErrorKind::lockTimeout));
  inner.TearDown();
}

}  // namespace
