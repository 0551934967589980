#include "control/event_stream.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"

namespace tally::fake::detail {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class EventStreamTest : public ControlTest {
 protected:
  EventStreamTest() { (void)stream.take(now); }

  /// What the stream has to send `later`.
  std::string taken(milliseconds later = milliseconds{0}) {
    now += later;
    return stream.take(now).value();
  }

  [[nodiscard]] EventStream streamAfter(std::uint64_t number) {
    return {host, key, *host.ownerOf(key), number};
  }

  static std::string change(const std::string& parts) {
    return "event: change\ndata: {\"changed\":[" + parts + "]}\n\n";
  }

  BodyStream::Time now{std::chrono::hours{1}};
  EventStream stream = streamAfter(0);
};

constexpr milliseconds interval = EventStream::changeInterval;
const std::string allButLog = R"("clock","limits","faults","holds","accounts","objects")";

TEST_F(EventStreamTest, StartsWithTheReconnectionTime) {
  EXPECT_EQ(streamAfter(0).take(now), "retry: 1000\n\n");
}

TEST_F(EventStreamTest, SendsEachRequestAsLogged) {
  (void)get(records);
  (void)get("/v1/payouts");
  const auto log = told(get("/_fake/requests")).at("requests");
  const std::string event = "event: request\ndata: ";
  EXPECT_EQ(taken(), "id: 1\n" + event + boost::json::serialize(log.at(0)) + "\n\nid: 2\n" + event +
                         boost::json::serialize(log.at(1)) + "\n\n" + change(R"("limits","log")"));
  EXPECT_EQ(taken(interval), "");
}

TEST_F(EventStreamTest, CanResumeAfterAGivenRequest) {
  for (int i = 0; i < 5; ++i)
    (void)get(records);
  const std::string text = *streamAfter(3).take(now);
  EXPECT_THAT(text, Not(HasSubstr("id: 3\n")));
  EXPECT_THAT(text, HasSubstr("id: 4\n"));
  EXPECT_THAT(text, HasSubstr("id: 5\n"));
}

TEST_F(EventStreamTest, SendsALongLogInPieces) {
  for (int i = 0; i < 250; ++i)
    (void)get(records);
  std::string text;
  int pieces = 0;
  for (std::string piece = taken(); !piece.empty(); piece = taken(), ++pieces)
    text += piece;
  EXPECT_EQ(pieces, 3);
  for (int i = 1; i <= 250; ++i)
    ASSERT_THAT(text, HasSubstr("id: " + std::to_string(i) + "\n"));
}

TEST_F(EventStreamTest, NamesThePartsThatChanged) {
  (void)get(records);
  EXPECT_THAT(taken(interval), HasSubstr(change(R"("limits","log")")));
  (void)postForm("/v1/payouts", "amount=5&currency=eur");
  EXPECT_THAT(taken(interval), HasSubstr(change(R"("limits","accounts","objects","log")")));
  (void)post("/_fake/faults", R"({"fault":"empty_page"})");
  EXPECT_EQ(taken(interval), change(allButLog));
  (void)get(records);
  EXPECT_THAT(taken(interval), HasSubstr(change(R"("limits","faults","log")")));
  (void)post("/_fake/clock/advance", R"({"milliseconds":1})");
  EXPECT_THAT(taken(interval), HasSubstr("\"clock\""));
}

TEST_F(EventStreamTest, SendsChangesAtMostTenTimesASecond) {
  int told = 0;
  for (int i = 0; i < 100; ++i) {
    (void)post("/_fake/clock/advance", R"({"milliseconds":1})");
    if (!taken(milliseconds{10}).empty()) ++told;
  }
  EXPECT_EQ(told, 10);
  (void)post("/_fake/clock/advance", R"({"milliseconds":1})");
  EXPECT_EQ(taken(), "") << "too early";
  EXPECT_LE(stream.nextTake(), now + interval);
  EXPECT_THAT(taken(stream.nextTake() - now > milliseconds{0} ? interval : milliseconds{0}),
              HasSubstr("\"clock\""));
}

TEST_F(EventStreamTest, SendsACommentToKeepTheConnectionOpen) {
  EXPECT_EQ(stream.nextTake(), now + EventStream::keepAlive);
  EXPECT_EQ(taken(EventStream::keepAlive - milliseconds{1}), "");
  EXPECT_EQ(taken(milliseconds{1}), ":\n\n");
  EXPECT_EQ(taken(), "");
  EXPECT_EQ(stream.nextTake(), now + EventStream::keepAlive);
}

TEST_F(EventStreamTest, ContinuesFromARestoredLog) {
  (void)get(records);
  const auto snapshot = told(post("/_fake/snapshots")).at("snapshot").as_int64();
  (void)get("/v1/payouts");
  (void)taken();
  (void)post("/_fake/snapshots/" + std::to_string(snapshot) + "/restore");
  EXPECT_EQ(taken(interval), change(allButLog + ",\"log\""));
  (void)get("/v1/invoices");
  EXPECT_THAT(taken(interval), HasSubstr("id: 2\n"));
}

TEST_F(EventStreamTest, NamesEveryPartWhenALaterStateIsRestored) {
  const auto snapshot = [&] {
    return "/_fake/snapshots/" + std::to_string(told(post("/_fake/snapshots")).at("snapshot").as_int64());
  };
  const std::string earlier = snapshot();
  for (int i = 0; i < 3; ++i)
    (void)get(records);
  const std::string later = snapshot();
  (void)told(post(earlier + "/restore"));
  (void)taken(interval);
  (void)told(post(later + "/restore"));
  EXPECT_THAT(taken(interval), HasSubstr(change(allButLog + ",\"log\"")));
}

TEST_F(EventStreamTest, ReportsALogChangeIfTheLogDroppedRequests) {
  const auto small =
      told(send({.method = Method::post, .url = "/_fake/accounts", .body = R"({"request_log":2})"}));
  const std::string other = test::text(small.at("sandbox_key"));
  for (int i = 0; i < 5; ++i)
    (void)send(test::get(other, records));
  EventStream late{host, other, *host.ownerOf(other), 1};
  const std::string text = *late.take(now);
  EXPECT_THAT(text, HasSubstr("id: 4\n"));
  EXPECT_THAT(text, Not(HasSubstr("id: 3\n")));
  EXPECT_THAT(text, HasSubstr("\"log\""));
}

TEST_F(EventStreamTest, NotifiesItsServerWhenThereIsMoreToSend) {
  std::atomic<int> woken = 0;
  stream.onMore([&] { ++woken; });
  (void)get(records);
  EXPECT_EQ(woken, 1);
  (void)post("/_fake/clock/freeze");
  EXPECT_EQ(woken, 2);
}

TEST_F(EventStreamTest, AnnouncesEveryKindOfChange) {
  const std::string other = test::text(told(post("/_fake/service/accounts")).at("id"));
  const auto remove = [&](const std::string& path) { return send(test::get(key, path), "DELETE"); };
  (void)taken();
  const std::vector<std::function<HttpResponse()>> actions{
      [&] { return remove("/_fake/limits"); },
      [&] { return remove("/_fake/limits?account=" + other); },
      [&] { return remove("/_fake/durations"); },
      [&] { return post("/_fake/clock", R"({"now":1800000000})"); },
      [&] { return remove("/_fake/requests"); },
      [&] { return remove("/_fake/faults"); },
      [&] { return remove("/_fake/accounts/" + other); },
      [&] { return post("/_fake/reset"); }};
  for (std::size_t i = 0; i < actions.size(); ++i) {
    (void)told(actions[i]());
    EXPECT_EQ(taken(interval), change(allButLog)) << "action " << i;
  }
}

TEST_F(EventStreamTest, EndsImmediatelyWhenItsAccountIsDeleted) {
  (void)told(post("/_fake/service/accounts"));
  std::atomic<int> woken = 0;
  stream.onMore([&] { ++woken; });
  (void)told(send(test::get(key, "/_fake/accounts/" + first.account.id), "DELETE"));
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(stream.take(now), std::nullopt);
}

TEST_F(EventStreamTest, EndsWhenRestoringASnapshotRemovesItsAccount) {
  (void)postForm("/v1/accounts", "");
  const auto snapshot = told(post("/_fake/snapshots")).at("snapshot").as_int64();
  const auto added = told(post("/_fake/service/accounts"));
  const std::string other = test::text(added.at("sandbox_key"));
  EventStream doomed{host, other, *host.ownerOf(other), 0};
  EXPECT_TRUE(doomed.take(now));
  (void)post("/_fake/snapshots/" + std::to_string(snapshot) + "/restore");
  EXPECT_FALSE(doomed.take(now));
}

TEST_F(EventStreamTest, CanOmitRequests) {
  EventStream changes{host, key, *host.ownerOf(key), 0, EventStream::Tells::changes};
  EXPECT_EQ(changes.take(now), "retry: 1000\n\n");
  (void)get(records);
  (void)get("/v1/payouts");
  now += interval;
  EXPECT_EQ(changes.take(now), change(R"("limits","faults","accounts","objects","log")"));
  now += interval;
  EXPECT_EQ(changes.take(now), "");
  first.service.requests().clear();
  now += interval;
  EXPECT_EQ(changes.take(now), change(allButLog + R"(,"log")"));
}

}  // namespace

}  // namespace tally::fake::detail
