// What becomes of an object that has been moved from: using it throws std::logic_error, or is safe and has a
// documented result. Destroying and assigning it is always allowed. The other types of the client are in
// sdk/call/moved_from_test.cpp.

#include <chrono>
#include <functional>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/fake/pending_request.h>
#include <tally/fake/service.h>
#include <tally/task.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::movedFromTest {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// Moves without the analyzer noticing, because tests examine the moved-from object on purpose.
template <class T>
T take(T& from) {
  return std::move(from);
}

/// What the cases use. The transport is in this process.
struct World {
  fake::Service service{};
  std::string key = service.addAccount().sandboxKey;
  PaymentRecord record = service.insert<PaymentRecord>(key);
  AsyncClient async{service.clientOptions(key)};

  [[nodiscard]] AsyncPager<PaymentRecord> pager() const { return async.paymentRecords().list(); }
};

Task<int> one() {
  co_return 1;
}

Task<> nothing() {
  co_return;
}

/// Awaits a task, in a coroutine of its own.
template <class T>
void await(Task<T>& task) {
  std::exception_ptr thrown;
  spawn([](Task<T>& awaited, std::exception_ptr& thrownBy) -> Task<> {
    try {
      (void)co_await awaited;
    } catch (...) {
      thrownBy = std::current_exception();
    }
  }(task, thrown));
  if (thrown) std::rethrow_exception(thrown);
}

/// Counts how often it is delivered.
class CountedCompletion final : public detail::Completing {
 public:
  explicit CountedCompletion(int& count) : count_(count) {}
  void complete() override { ++count_; }

 private:
  int& count_;
};

struct Misuse {
  std::string name{};
  std::string_view says{};
  std::function<void(World&)> use{};
};

std::ostream& operator<<(std::ostream& out, const Misuse& misuse) {
  return out << misuse.name;
}

constexpr std::string_view clientSays = "this tally::AsyncClient has been moved from";
constexpr std::string_view pagerSays = "this tally::AsyncPager has been moved from";
constexpr std::string_view callSays = "this tally::Call has been started or moved from";
constexpr std::string_view taskSays = "this tally::Task has been awaited or moved from";

/// Uses the AsyncClient that another one has been made of.
template <class Use>
Misuse ofClient(std::string name, Use use) {
  return {"AsyncClient_" + name, clientSays, [use](World& world) {
            const AsyncClient other = take(world.async);
            (void)use(world);
          }};
}

template <class Use>
Misuse ofPager(std::string name, Use use) {
  return {"AsyncPager_" + name, pagerSays, [use](World& world) {
            AsyncPager<PaymentRecord> pager = world.pager();
            const AsyncPager<PaymentRecord> other = take(pager);
            (void)use(pager);
          }};
}

template <class Use>
Misuse ofCall(std::string name, Use use) {
  return {"Call_" + name, callSays, [use](World& world) {
            Call<PaymentRecord> call = world.async.paymentRecords().retrieve(world.record.id);
            const Call<PaymentRecord> other = take(call);
            use(call);
          }};
}

std::vector<Misuse> misuses() {
  using Pager = AsyncPager<PaymentRecord>;
  return {
      ofClient("service", [](World& world) { return world.async.paymentRecords(); }),
      ofClient("send",
               [](World& world) {
                 const RawRequest request{.path = "/v1/payouts"};
                 return world.async.send(request);
               }),
      ofClient("run", [](World& world) { return world.async.run(), 0; }),
      ofClient("close", [](World& world) { return world.async.close(); }),
      ofClient("counts", [](World& world) { return world.async.counts(); }),
      ofClient("clock", [](World& world) { return &world.async.clock(); }),
      ofClient("sleepFor", [](World& world) { return world.async.sleepFor(1s); }),
      ofClient("sleepUntil", [](World& world) { return world.async.sleepUntil({}); }),
      ofPager("nextPage", [](Pager& pager) { return pager.nextPage(); }),
      ofPager("forEach",
              [](Pager& pager) {
                return pager.forEach(
                    std::function<bool(PaymentRecord&)>{[](PaymentRecord&) { return true; }});
              }),
      ofPager("checkpoint", [](Pager& pager) { return pager.checkpoint(); }),
      ofPager("resumeFrom", [](Pager& pager) { return std::move(pager).resumeFrom("x"); }),
      ofPager("prefetch", [](Pager& pager) { return std::move(pager).prefetch(); }),
      ofCall("then", [](Call<PaymentRecord>& call) { call.then([](const Result<PaymentRecord>&) {}); }),
      ofCall("future", [](Call<PaymentRecord>& call) { (void)call.future(); }),
      {"Task", taskSays,
       [](World&) {
         Task<int> task = one();
         Task<int> other = take(task);
         await(task);
       }},
      {"Task_awaited_twice", taskSays,
       [](World&) {
         Task<int> task = one();
         await(task);
         await(task);
       }},
      {"Task_spawned", taskSays,
       [](World&) {
         Task<> task = nothing();
         const Task<> other = take(task);
         spawn(std::move(task));
       }},
      {"Task_spawned_after_it_was_awaited", taskSays,
       [](World&) {
         Task<> task = nothing();
         await(task);
         spawn(std::move(task));
       }},
      {"Completion", "this tally::Completion has been invoked or moved from",
       [](World&) {
         int count = 0;
         Completion completion{std::make_unique<CountedCompletion>(count)};
         Completion other = take(completion);
         completion();
       }},
      {"Completion_twice", "this tally::Completion has been invoked or moved from",
       [](World&) {
         int count = 0;
         Completion completion{std::make_unique<CountedCompletion>(count)};
         completion();
         EXPECT_EQ(count, 1);
         completion();
       }},
      {"fake_PendingRequest", "the request is no longer waiting",
       [](World& world) {
         const auto hold = world.service.holds().lockObject(world.key, world.record.id.str());
         auto step = world.service.begin(
             {.method = Method::post,
              .url = "/v1/payment_records/" + world.record.id.str() + "/report_payment_attempt_failed",
              .headers = {{"Authorization", "Bearer " + world.key}},
              .body = "failed_at=1"});
         auto& waiting = std::get<fake::PendingRequest>(step);
         const fake::PendingRequest other = take(waiting);
         (void)waiting.proceed();
       }},
  };
}

class MovedFromAsyncObject : public testing::TestWithParam<Misuse> {
 protected:
  World world{};
};

TEST_P(MovedFromAsyncObject, ThrowsALogicErrorWhenUsed) {
  try {
    GetParam().use(world);
    FAIL() << "it does not throw";
  } catch (const std::logic_error& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
  }
}

INSTANTIATE_TEST_SUITE_P(Types, MovedFromAsyncObject, testing::ValuesIn(misuses()),
                         [](const auto& tested) { return tested.param.name; });

TEST(MovedFromObjects, CanBeDestroyedAndAssignedTo) {
  World world;
  AsyncClient other = take(world.async);
  world.async = take(other);
  auto pager = world.pager();
  auto otherPager = take(pager);
  pager = take(otherPager);
  Task<int> task = one();
  Task<int> otherTask = take(task);
  task = take(otherTask);
  EXPECT_NO_THROW(await(task));
  std::size_t count = 0;
  pager.nextPage().then([&](const auto& page) { count = page.value()->data.size(); });
  world.async.run();
  EXPECT_EQ(count, 1U);
}

TEST(MovedFromObjects, StayUsableIfTheyAreServices) {
  World world;
  auto async = world.async.paymentRecords();
  const auto otherAsync = take(async);
  EXPECT_NO_THROW((void)async.retrieve(world.record.id));
  const Client client{world.service.clientOptions(world.key)};
  PaymentRecords records = client.paymentRecords();
  const PaymentRecords other = take(records);
  EXPECT_TRUE(records.retrieve(world.record.id));
  EXPECT_TRUE(other.retrieve(world.record.id));
}

TEST(MovedFromObjects, ReleaseNothingIfTheyAreHolds) {
  World world;
  fake::Hold hold = world.service.holds().lockObject(world.key, world.record.id.str());
  const fake::Hold other = take(hold);
  EXPECT_NO_THROW(hold.release());
  const Client client{world.service.clientOptions(world.key)};
  EXPECT_EQ(
      client.paymentRecords().reportFailed(world.record.id, {.failedAt = std::chrono::sys_seconds{}}).error(),
      ErrorKind::lockTimeout)
      << "the other still holds it";
}

TEST(MovedFromObjects, StayUsableIfTheyAreSnapshots) {
  World world;
  fake::Snapshot snapshot = world.service.snapshots().take();
  const fake::Snapshot other = take(snapshot);
  EXPECT_NO_THROW(world.service.snapshots().restore(snapshot));
}

}  // namespace
}  // namespace tally::movedFromTest
