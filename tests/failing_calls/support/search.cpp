#include "failing_calls/support/search.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "failing_calls/support/place_run.h"
#include "text/fingerprint.h"
#include "wire/temporary_folder.h"

namespace tally::test {

namespace {

constexpr std::size_t mostShown = 10;  // with their callers

/// Runs without a failing call, also so that everything that a process does once is done. Returns how many
/// calls there are.
std::array<std::uint32_t, callCount> countCalls(const Scenario& scenario, Side side) {
  std::array<std::uint32_t, callCount> counts{};
  constexpr int runs = 2;
  for (int run = 0; run < runs; ++run) {
    const auto injection = std::make_unique<Injection>();
    const std::string problems = problemsOf(scenario, *injection, side, nullptr);
    if (!problems.empty()) throw std::runtime_error{"without a failing call: " + problems};
    std::ranges::copy(injection->counts, counts.begin());
  }
  return counts;
}

/// The places of one call, with one way to fail.
using Group = std::vector<Place>;

std::vector<Group> groupsOf(const std::array<std::uint32_t, callCount>& counts, const Sample& sample) {
  std::vector<Group> groups;
  const auto add = [&](const Place& place, std::uint32_t count) {
    Group& group = groups.emplace_back(count, place);
    for (std::uint32_t at = 0; at < count; ++at)
      group[at].number = at + 1;
  };
  for (std::size_t at = 0; at < callCount; ++at) {
    const Call call = static_cast<Call>(at);
    if (std::ranges::count(sample.leftOut, call) != 0) continue;
    for (const Failure& failure : failuresOf(call)) {
      if (counts[at] == 0) continue;
      add({.call = call, .error = failure.error}, counts[at]);
      if (!failure.isMomentary) add({.call = call, .error = failure.error, .persists = true}, counts[at]);
    }
  }
  return groups;
}

/// One of each group in turn.
std::vector<Place> sampleOf(std::vector<Group> groups, const Sample& sample) {
  std::mt19937_64 random{sample.seed};
  for (Group& group : groups)
    std::ranges::shuffle(group, random);
  std::ranges::shuffle(groups, random);
  std::vector<Place> places;
  for (std::size_t row = 0; !groups.empty(); ++row) {
    std::erase_if(groups, [row](const Group& group) { return group.size() <= row; });
    for (const Group& group : groups) {
      places.push_back(group[row]);
      if (places.size() == sample.places) return places;
    }
  }
  return places;
}

/// In the order of a pass, beginning with the one from which it is continued.
std::map<std::uint32_t, std::vector<Place>> passOf(const std::vector<Group>& groups, std::uint32_t from) {
  std::map<std::uint32_t, std::vector<Place>> pass;
  for (const Group& group : groups)
    for (const Place& place : group) {
      const auto position = static_cast<std::uint32_t>(detail::longFingerprint(place.toText()) % endOfPass);
      if (position >= from) pass[position].push_back(place);
    }
  return pass;
}

/// At least one position at a time. Sets where the pass is to be continued.
std::vector<Place> nextOf(const std::vector<Group>& groups, const Sample& sample, std::uint32_t& next) {
  std::vector<Place> places;
  for (const auto& [position, found] : passOf(groups, *sample.from)) {
    if (!places.empty() && places.size() + found.size() > sample.places) {
      next = position;
      return places;
    }
    places.insert(places.end(), found.begin(), found.end());
  }
  next = endOfPass;
  return places;
}

std::string nameOfThisTest() {
  const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
  return test == nullptr ? "" : std::string{test->test_suite_name()} + '.' + test->name();
}

std::size_t mostAtOnce() {
  if (const char* const most = std::getenv("TALLY_FAILING_CALLS_AT_ONCE")) return std::stoul(most);
  return std::max(std::thread::hardware_concurrency(), 1U);
}

/// Places side by side, each in its process.
class Runs {
 public:
  Runs(const Scenario& scenario, Side side, Tried& tried) : scenario_(scenario), side_(side), tried_(tried) {}

  void begin(const Place& place) {
    if (running_.size() >= mostAtOnce()) awaitOne();
    auto run = std::make_unique<PlaceRun>(scenario_, side_, place);
    const pid_t process = run->process();
    running_.emplace(process, std::move(run));
  }

  void awaitAll() {
    while (!running_.empty())
      awaitOne();
  }

 private:
  void awaitOne() {
    int status = 0;
    const pid_t process = ::waitpid(-1, &status, 0);
    if (process < 0 && errno != EINTR) throw std::runtime_error{"a process is lost"};
    const auto found = running_.find(process);
    if (found == running_.end()) return;
    note(*found->second, status);
    running_.erase(found);
  }

  void note(const PlaceRun& run, int status) {
    tried_.runs += run.hasFailed() ? 1 : 0;
    const std::string problem = run.problem(status);
    if (!problem.empty())
      tried_.problems.push_back(nameOfThisTest() + ": " + run.place().toText() + "\n  " + problem +
                                whence(run));
  }

  /// The callers of the first ones are enough to begin with.
  [[nodiscard]] std::string whence(const PlaceRun& run) const {
    if (tried_.problems.size() >= mostShown) return {};
    return "  when a call fails in\n" + run.callers() +
           "  Replay: TALLY_FAILING_CALL=" + run.place().toText() + ' ' +
           testing::internal::GetArgvs().front() + " --gtest_filter=" + nameOfThisTest();
  }

  const Scenario& scenario_;
  Side side_;
  Tried& tried_;
  std::map<pid_t, std::unique_ptr<PlaceRun>> running_{};
};

/// The folder in which the scenarios make their folders, which a killed child process leaves behind.
class FolderOfFolders {
 public:
  FolderOfFolders() { ::setenv(variable, folder_.path().c_str(), 1); }
  FolderOfFolders(const FolderOfFolders&) = delete;
  FolderOfFolders& operator=(const FolderOfFolders&) = delete;
  ~FolderOfFolders() {
    if (before_)
      ::setenv(variable, before_->c_str(), 1);
    else
      ::unsetenv(variable);
  }

 private:
  static constexpr const char* variable = "TMPDIR";

  std::optional<std::string> before_ =
      std::getenv(variable) == nullptr ? std::nullopt : std::optional<std::string>{std::getenv(variable)};
  TemporaryFolder folder_{};
};

Tried tryThese(const Scenario& scenario, Side side, const std::vector<Place>& places) {
  Tried tried;
  Runs runs{scenario, side, tried};
  for (const Place& place : places)
    runs.begin(place);
  runs.awaitAll();
  return tried;
}

Sample asEnvironmentSays(Sample sample) {
  if (const char* const text = std::getenv("TALLY_FAILING_CALLS")) {
    char comma = 0;
    std::istringstream{text} >> sample.places >> comma >> sample.from.emplace();
  }
  return sample;
}

std::vector<Place> placesIn(const std::string& text) {
  std::vector<Place> places;
  std::istringstream words{text};
  for (std::string word; words >> word;)
    places.push_back(Place::fromText(word));
  return places;
}

}  // namespace

Tried tryPlaces(const Scenario& scenario, Side side, const Sample& sample) {
  const FolderOfFolders folder;
  const std::vector<Group> groups = groupsOf(countCalls(scenario, side), sample);
  std::uint32_t next = endOfPass;
  Tried tried =
      tryThese(scenario, side, sample.from ? nextOf(groups, sample, next) : sampleOf(groups, sample));
  tried.next = next;
  for (const Group& group : groups)
    tried.places += group.size();
  return tried;
}

void testFailingCalls(const Scenario& scenario, Side side, Sample sample) {
  Tried tried;
  try {
    if (const char* const place = std::getenv("TALLY_FAILING_CALL")) {
      const FolderOfFolders folder;
      (void)countCalls(scenario, side);
      tried = tryThese(scenario, side, placesIn(place));
    } else {
      tried = tryPlaces(scenario, side, asEnvironmentSays(std::move(sample)));
    }
  } catch (const std::exception& problem) {
    FAIL() << problem.what();
  }
  for (const std::string& problem : tried.problems)
    ADD_FAILURE() << problem;
  testing::Test::RecordProperty("places", std::to_string(tried.places));
  testing::Test::RecordProperty("runs", std::to_string(tried.runs));
  testing::Test::RecordProperty("found", std::to_string(tried.problems.size()));
  testing::Test::RecordProperty("next", std::to_string(tried.next));
}

}  // namespace tally::test
