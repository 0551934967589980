// Where the standard library has stop tokens, the own ones are compared with them.

#include <atomic>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include <tally/detail/stop_token.h>
#include <tally/stop_token.h>

#include <gtest/gtest.h>
#include <unistd.h>

namespace tally {
namespace {

struct Used {
  using Token = StopToken;
  using Source = StopSource;
  using Callback = StopCallback<std::function<void()>>;
  static Source none() { return Source{detail::noStopState}; }
};

struct Own {
  using Token = detail::OwnStopToken;
  using Source = detail::OwnStopSource;
  using Callback = detail::OwnStopCallback<std::function<void()>>;
  static Source none() { return Source{detail::NoStopState{}}; }
};

template <class T>
class StopTokens : public testing::Test {};

using Both = testing::Types<Used, Own>;
TYPED_TEST_SUITE(StopTokens, Both);

TYPED_TEST(StopTokens, ReportWhetherAStopIsRequested) {
  typename TypeParam::Source source;
  const typename TypeParam::Token token = source.get_token();
  EXPECT_TRUE(token.stop_possible());
  EXPECT_FALSE(token.stop_requested());
  EXPECT_TRUE(source.request_stop());
  EXPECT_FALSE(source.request_stop());
  EXPECT_TRUE(token.stop_requested());
  EXPECT_TRUE(source.stop_requested());
}

TYPED_TEST(StopTokens, AreNeverStoppedWithoutASource) {
  EXPECT_FALSE(typename TypeParam::Token{}.stop_possible());
  auto source = TypeParam::none();
  EXPECT_FALSE(source.request_stop());
  EXPECT_FALSE(source.get_token().stop_possible());
  int calls = 0;
  const typename TypeParam::Callback callback{source.get_token(), [&] { ++calls; }};
  EXPECT_EQ(calls, 0);
}

TYPED_TEST(StopTokens, AreEqualIfTheyShareASource) {
  const typename TypeParam::Source source;
  EXPECT_EQ(source.get_token(), source.get_token());
  EXPECT_FALSE(source.get_token() == typename TypeParam::Source{}.get_token());
}

TYPED_TEST(StopTokens, CallEachCallbackOnce) {
  typename TypeParam::Source source;
  int first = 0;
  int second = 0;
  int gone = 0;
  const typename TypeParam::Callback one{source.get_token(), [&] { ++first; }};
  std::optional<typename TypeParam::Callback> none;
  none.emplace(source.get_token(), [&] { ++gone; });
  const typename TypeParam::Callback two{source.get_token(), [&] { ++second; }};
  none.reset();
  source.request_stop();
  source.request_stop();
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
  EXPECT_EQ(gone, 0);
}

TYPED_TEST(StopTokens, CallACallbackImmediatelyIfAStopIsAlreadyRequested) {
  typename TypeParam::Source source;
  source.request_stop();
  int calls = 0;
  const typename TypeParam::Callback callback{source.get_token(), [&] { ++calls; }};
  EXPECT_EQ(calls, 1);
}

TYPED_TEST(StopTokens, LetACallbackDestroyItself) {
  typename TypeParam::Source source;
  std::optional<typename TypeParam::Callback> callback;
  int calls = 0;
  callback.emplace(source.get_token(), [&] {
    ++calls;
    callback.reset();
  });
  source.request_stop();
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(callback.has_value());
}

/// The destructor of a callback waits for its call in another thread.
TYPED_TEST(StopTokens, KeepACallbackAliveDuringItsCall) {
  for (int i = 0; i < 200; ++i) {
    typename TypeParam::Source source;
    auto alive = std::make_unique<int>(1);
    std::optional<typename TypeParam::Callback> callback;
    callback.emplace(source.get_token(), [&] { *alive += 1; });
    std::thread other{[&] { source.request_stop(); }};
    callback.reset();
    alive.reset();
    other.join();
  }
}

/// The state of a thread, as in `man 5 proc`: `S` if it is blocked.
char stateOf(pid_t thread) {
  std::ifstream status{"/proc/self/task/" + std::to_string(thread) + "/stat"};
  std::string id;
  std::string name;
  char state = '?';
  status >> id >> name >> state;
  return state;
}

TYPED_TEST(StopTokens, WakeTheDestructorOfACallbackAtTheEndOfItsCall) {
  typename TypeParam::Source source;
  std::atomic<bool> isCalled = false;
  const pid_t destroying = gettid();
  bool wasBlocked = false;
  std::optional<typename TypeParam::Callback> callback;
  callback.emplace(source.get_token(), [&] {
    isCalled = true;
    isCalled.notify_one();
    while (stateOf(destroying) != 'S')
      std::this_thread::yield();
    wasBlocked = true;
  });
  std::thread other{[&] { source.request_stop(); }};
  isCalled.wait(false);
  callback.reset();
  EXPECT_TRUE(wasBlocked);
  other.join();
}

}  // namespace
}  // namespace tally
