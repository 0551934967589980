// What the search finds in scenarios with known defects.

#include "failing_calls/support/search.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "failing_calls/support/durable_files.h"

namespace tally::test {

namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Sample all{.places = 0};

/// Writes a file. Returns whether it reports the text as durable.
bool write(const std::filesystem::path& file, const std::string& text, bool heedsSync) {
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (opened < 0) return false;
  const bool isWritten = ::write(opened, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const bool isSynced = ::fsync(opened) == 0;
  ::close(opened);
  return isWritten && (isSynced || !heedsSync);
}

Scenario writing(bool heedsSync) {
  return [heedsSync](Trial& trial) {
    const TemporaryFolder folder;
    const DurableFiles durable{folder.path()};
    bool isDurable = false;
    (void)trial.attempt([&] { isDurable = write(folder.path() / "file", "text", heedsSync); });
    std::string text;
    std::ifstream{durable.left() / "file"} >> text;
    trial.check(!isDurable || text == "text", "the text is lost");
  };
}

}  // namespace

TEST(FailingCallsSearch, FindsNothingInACorrectScenario) {
  const Tried tried = tryPlaces(writing(true), Side::client, all);
  EXPECT_THAT(tried.problems, IsEmpty());
  EXPECT_GE(tried.runs, 10U);  // open, write, sync and close, in several ways
  EXPECT_EQ(tried.runs, tried.places);
}

TEST(FailingCallsSearch, FindsAnIgnoredFailureOfFsync) {
  const Tried tried = tryPlaces(writing(false), Side::client, all);
  EXPECT_THAT(tried.problems, SizeIs(2));  // once, and from then on
  EXPECT_THAT(tried.problems, Each(AllOf(HasSubstr("sync,1,EIO"), HasSubstr("the text is lost"),
                                         HasSubstr("TALLY_FAILING_CALL=sync,1,EIO"))));
}

TEST(FailingCallsSearch, FindsALeakedFileDescriptor) {
  const auto scenario = [](Trial& trial) {
    int epoll = -1;
    (void)trial.attempt([&] {
      epoll = ::epoll_create1(EPOLL_CLOEXEC);
      const int event = ::eventfd(0, EFD_CLOEXEC);
      epoll_event input{.events = EPOLLIN, .data = {}};
      if (::epoll_ctl(epoll, EPOLL_CTL_ADD, event, &input) == 0) ::close(event);
    });
    ::close(epoll);
  };
  const Tried tried = tryPlaces(scenario, Side::client, all);
  EXPECT_THAT(tried.problems, testing::Contains(AllOf(HasSubstr("epollAdd,1,ENOSPC,once"),
                                                      HasSubstr("leaks 1 file descriptors"))));
}

TEST(FailingCallsSearch, FindsLeakedMemoryAndWhereItWasAllocated) {
  const auto scenario = [](Trial& trial) {
    (void)trial.attempt([] {
      auto* const first = new std::string(100, 'a');
      const std::string second(100, 'b');
      delete first;
    });
  };
  const Tried tried = tryPlaces(scenario, Side::client, all);
  EXPECT_THAT(tried.problems,
              testing::Contains(AllOf(HasSubstr("memory,3,ENOMEM,once"), HasSubstr("leaks 2 blocks"),
                                      HasSubstr("allocated by"))));
}

TEST(FailingCallsSearch, FindsACrashAndContinues) {
  const auto scenario = [](Trial& trial) {
    (void)trial.attempt([] {
      void* const memory = std::malloc(1);  // NOLINT(cppcoreguidelines-no-malloc): fails by a null pointer
      if (memory == nullptr) std::abort();
      std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc)
    });
  };
  const Tried tried = tryPlaces(scenario, Side::client, all);
  EXPECT_THAT(tried.problems, SizeIs(2));
  EXPECT_THAT(tried.problems, Each(HasSubstr("ends with SIGABRT")));
}

TEST(FailingCallsSearch, FindsAnEndlessWait) {
  const auto scenario = [](Trial& trial) {
    constexpr useconds_t soon = 10'000;
    (void)trial.attempt([] {
      if (::epoll_create1(-1) < 0 && errno == EMFILE) {
        ::ualarm(soon, 0);
        while (true)
          ::pause();
      }
    });
  };
  const Tried tried = tryPlaces(scenario, Side::client, all);
  EXPECT_THAT(tried.problems, SizeIs(2));
  EXPECT_THAT(tried.problems, Each(HasSubstr("does not end")));
}

TEST(FailingCallsSearch, FailsCallsOfOneSideOnly) {
  const auto scenario = [](Trial& trial) {
    bool hasFailed = false;
    (void)trial.attempt([&] {
      const OnSide server{Side::server};
      const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
      hasFailed = epoll < 0;
      ::close(epoll);
    });
    trial.check(!hasFailed, "it fails");
  };
  EXPECT_EQ(tryPlaces(scenario, Side::client, all).places, 0U);
  EXPECT_THAT(tryPlaces(scenario, Side::server, all).problems, SizeIs(2));
}

TEST(FailingCallsSearch, TriesEachKindOfCallInASample) {
  const auto scenario = [](Trial& trial) {
    (void)trial.attempt([] {
      for (int i = 0; i < 20; ++i)
        ::close(::eventfd(0, EFD_CLOEXEC));
      ::close(::epoll_create1(EPOLL_CLOEXEC));
    });
    trial.check(trial.place() == nullptr || trial.place()->call != Call::epoll, "it fails");
  };
  const Tried tried = tryPlaces(scenario, Side::client, {.places = 4});
  EXPECT_EQ(tried.runs, 4U);
  EXPECT_THAT(tried.problems, SizeIs(2));
}

TEST(FailingCallsSearch, ContinuesAPassWhereItHasStopped) {
  std::uint32_t from = 0;
  std::size_t runs = 0;
  std::size_t parts = 0;
  for (; from != endOfPass; ++parts) {
    const Tried tried = tryPlaces(writing(true), Side::client, {.places = 4, .from = from});
    EXPECT_GT(tried.next, from);
    EXPECT_LE(tried.runs, 4U);
    from = tried.next;
    runs += tried.runs;
  }
  EXPECT_EQ(runs, tryPlaces(writing(true), Side::client, all).places);
  EXPECT_EQ(parts, (runs + 3) / 4);
}

TEST(Place, RoundTripsThroughText) {
  const Place place{.call = Call::write, .number = 12, .error = ENOSPC, .persists = true};
  EXPECT_EQ(place.toText(), "write,12,ENOSPC,on");
  EXPECT_EQ(Place::fromText(place.toText()), place);
  const Place shortened{.call = Call::receive, .number = 3};
  EXPECT_EQ(shortened.toText(), "receive,3,short,once");
  EXPECT_EQ(Place::fromText(shortened.toText()), shortened);
  EXPECT_THROW((void)Place::fromText("write,1"), std::invalid_argument);
  EXPECT_THROW((void)Place::fromText("writes,1,EIO,on"), std::invalid_argument);
}

}  // namespace tally::test
