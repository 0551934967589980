#include "files/state_file.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake/server/support/control_fixture.h"
#include "fake/server/support/peer.h"
#include "fake/server/support/program.h"
#include "files/file_input.h"
#include "temporary_folder.h"
#include "tenants/host.h"

namespace tally::fake::detail {

namespace {

using test::Greeting;
using test::greetingOf;
using test::Peer;
using test::Program;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// The name of a file in a folder of its own, which is removed at the end. The file does not exist yet.
class TemporaryFile {
 public:
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::string contents() const { return contentsOf(name_); }
  void write(std::string_view text) const { std::ofstream{name_} << text; }

  /// A name beside the file.
  [[nodiscard]] std::string beside(const std::string& other) const {
    return (folder_.path() / other).string();
  }
  /// All files in the folder, in the order of their names.
  [[nodiscard]] std::vector<std::string> all() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator{folder_.path()})
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

 private:
  test::TemporaryFolder folder_{};
  std::string name_ = (folder_.path() / "state.json").string();
};

struct stat statusOfFile(const std::string& name) {
  struct stat found{};
  if (::stat(name.c_str(), &found) != 0) throw std::system_error{errno, std::generic_category(), name};
  return found;
}

mode_t modeOf(const std::string& name) {
  return statusOfFile(name).st_mode & 07777;
}

/// What this process does with a signal. Programs started meanwhile ignore what it ignores.
class Disposition {
 public:
  Disposition(int signal, void (*action)(int)) : signal_(signal), previous_(std::signal(signal, action)) {}
  Disposition(const Disposition&) = delete;
  Disposition& operator=(const Disposition&) = delete;
  ~Disposition() { std::signal(signal_, previous_); }

 private:
  int signal_;
  void (*previous_)(int);
};

void acceptAny(const std::string&) {}

class PersistentState : public testing::Test {
 protected:
  static std::string answer(const Greeting& server, const std::string& bytes) {
    Peer peer{server.port};
    peer.send(bytes);
    return peer.response();
  }
  static std::string save(const Greeting& server) {
    return answer(server, test::postBytes("/_fake/state/save", server.sandboxKey, ""));
  }
  static std::string insertOne(const Greeting& server) {
    return answer(server, test::postBytes("/_fake/records", server.sandboxKey, R"({"resource":"payout"})"));
  }
  static std::string payouts(const Greeting& server) {
    return answer(server, test::getBytes("/v1/payouts?limit=100", server.sandboxKey));
  }
  static std::string bodyOf(const std::string& response) {
    return response.substr(response.find("\r\n\r\n"));
  }

  std::vector<std::string> arguments(const std::vector<std::string>& more = {}) {
    std::vector<std::string> all{"--port", "0", "--virtual-clock", "--state", file.name()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// What a server says that does not start.
  static std::string refusalOf(const std::vector<std::string>& given, int status = 1) {
    Program program{given};
    const std::string greeting = program.line();
    EXPECT_EQ(greeting, "");
    if (!greeting.empty()) return {};
    std::string said = program.rest();
    EXPECT_EQ(program.status(), status);
    return said;
  }
  std::string refusal() { return refusalOf(arguments()); }

  /// Ends a server as a user does, and returns what it says.
  static std::string endOf(Program& program, int status = 0) {
    program.signal(SIGTERM);
    std::string said = program.rest();
    EXPECT_EQ(program.status(), status);
    return said;
  }
  /// Makes a state that is good.
  Greeting saveOne() {
    Program program{arguments()};
    Greeting server = greetingOf(program.line());
    (void)insertOne(server);
    EXPECT_EQ(endOf(program), "");
    return server;
  }

  TemporaryFile file{};
};

TEST_F(PersistentState, IsRestoredInTheNextRun) {
  std::string before;
  Greeting server;
  {
    Program program{arguments({"--records", "3"})};
    server = greetingOf(program.line());
    EXPECT_THAT(insertOne(server), StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(answer(server, test::postBytes("/_fake/accounts", "", "")), StartsWith("HTTP/1.1 200"));
    before = bodyOf(payouts(server)) + bodyOf(answer(server, test::getBytes("/_fake/accounts", "")));
    program.signal(SIGTERM);
    EXPECT_EQ(program.rest(), "");
    EXPECT_EQ(program.status(), 0);
  }
  EXPECT_THAT(file.all(), ElementsAre("state.json"));
  Program program{arguments({"--records", "3"})};
  const Greeting again = greetingOf(program.line());
  EXPECT_EQ(again.sandboxKey, server.sandboxKey);
  EXPECT_EQ(bodyOf(payouts(again)) + bodyOf(answer(again, test::getBytes("/_fake/accounts", ""))), before);
  EXPECT_THAT(answer(again, test::getBytes("/v1/payment_records?limit=100", again.sandboxKey)),
              HasSubstr("\"has_more\":false"))
      << "--records fills only a new state";
  const std::string added = answer(again, test::postBytes("/_fake/accounts", "", ""));
  EXPECT_EQ(before.find(added.substr(added.find("sk_live_"), 30)), std::string::npos) << "keys are used once";
}

TEST_F(PersistentState, ContinuesTheSequenceOfAccounts) {
  const HostOptions options{.virtualClock = true, .stateFile = file.name()};
  std::string next;
  {
    Host host{options};
    host.add();
    host.add();
    host.saveState();
    next = host.add()->account.liveKey;
  }
  Host host{options};
  ASSERT_TRUE(host.loadState());
  EXPECT_EQ(host.add()->account.liveKey, next);
}

TEST_F(PersistentState, IsSavedOnRequest) {
  Program program{arguments()};
  const Greeting server = greetingOf(program.line());
  EXPECT_FALSE(std::filesystem::exists(file.name()));
  (void)insertOne(server);
  EXPECT_THAT(save(server), StartsWith("HTTP/1.1 200"));
  const std::string saved = file.contents();
  EXPECT_THAT(saved, HasSubstr(server.sandboxKey));
  (void)insertOne(server);
  EXPECT_EQ(file.contents(), saved);
  EXPECT_THAT(save(server), StartsWith("HTTP/1.1 200"));
  EXPECT_GT(file.contents().size(), saved.size());
  program.endAtOnce();
}

/// Each run is killed while it saves again and again.
TEST_F(PersistentState, IsNeverPartialAfterItsServerIsKilled) {
  std::size_t least = 0;
  for (int run = 0; run < 8; ++run) {
    Program program{arguments()};
    const std::string line = program.line();
    ASSERT_NE(line, "") << program.rest();
    const Greeting server = greetingOf(line);
    for (int n = 0; n < 5; ++n)
      (void)insertOne(server);
    ASSERT_THAT(save(server), StartsWith("HTTP/1.1 200"));
    Peer peer{server.port};
    for (int n = 0; n < 10 * run; ++n)
      peer.send(test::postBytes("/_fake/state/save", server.sandboxKey, ""));
    for (int n = 0; n < run; ++n)
      (void)peer.response();
    program.endAtOnce();
    const std::string text = file.contents();
    ASSERT_THAT(text, testing::EndsWith("]}\n"));
    ASSERT_GT(text.size(), least) << "older than what was saved";
    least = text.size();
  }
  Program program{arguments()};
  EXPECT_NE(program.line(), "");
}

TEST_F(PersistentState, IsRefusedAndKeptWhenDamaged) {
  {
    Program program{arguments()};
    (void)greetingOf(program.line());
    program.signal(SIGTERM);
    EXPECT_EQ(program.status(), 0);
  }
  const std::string good = file.contents();
  const auto refused = [&](const std::string& text) {
    file.write(text);
    const std::string said = refusal();
    EXPECT_EQ(file.contents(), text);
    EXPECT_THAT(said, StartsWith("tally-fake: " + file.name() + ": "));
    EXPECT_THAT(said, EndsWith("; repair the file, or move it away to begin with a new state\n"));
    return said;
  };
  EXPECT_THAT(refused(""), HasSubstr("this is not JSON"));
  EXPECT_THAT(refused(good.substr(0, good.size() / 2)), HasSubstr("this is not JSON"));
  EXPECT_THAT(refused(good + "x"), HasSubstr("this is not JSON"));
  EXPECT_THAT(refused("[]"), HasSubstr("expected an object"));
  EXPECT_THAT(refused("{}"), HasSubstr("version: missing"));
  std::string other = good;
  other.replace(other.find("\"version\":1"), 11, "\"version\":9");
  EXPECT_THAT(refused(other), HasSubstr("version: this is version 9; this tally-fake reads version 1"));
  std::string twice = good;
  twice.insert(twice.rfind("\n]}"),
               "," + good.substr(good.find("\n{"), good.rfind("\n]}") - good.find("\n{")));
  EXPECT_THAT(refused(twice), HasSubstr("services[1]: the key"));
}

/// The clock has moved on from the saved time, which is ahead of real time.
TEST_F(PersistentState, IsRestoredEvenIfItsTimeIsAheadOfRealTime) {
  const std::vector<std::string> realTime{"--port", "0", "--state", file.name()};
  const auto clockOf = [](const Greeting& server) {
    const std::string shown = bodyOf(answer(server, test::getBytes("/_fake/clock", server.sandboxKey)));
    return test::text(boost::json::parse(shown.substr(4)).at("now"));
  };
  std::string saved;
  for (int run = 0; run < 3; ++run) {
    Program program{realTime};
    const Greeting server = greetingOf(program.line());
    EXPECT_GE(clockOf(server), saved);
    EXPECT_THAT(payouts(server), StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(answer(server, test::postBytes("/_fake/clock/advance", server.sandboxKey,
                                               R"({"milliseconds":2592000000})")),
                StartsWith("HTTP/1.1 200"));
    saved = clockOf(server);
    EXPECT_EQ(endOf(program), "");
  }
}

TEST_F(PersistentState, IsSavedWhenTheTerminalCloses) {
  const Disposition usual{SIGHUP, SIG_DFL};
  Program program{arguments({"--ready-file", file.beside("ready")})};
  const Greeting server = greetingOf(program.line());
  (void)insertOne(server);
  program.signal(SIGHUP);
  EXPECT_EQ(program.rest(), "");
  EXPECT_EQ(program.status(), 0);
  EXPECT_THAT(file.all(), ElementsAre("state.json"));
  EXPECT_THAT(file.contents(), HasSubstr(server.sandboxKey));
}

TEST_F(PersistentState, StaysInUseUnderNohupWhenTheTerminalCloses) {
  const Disposition nohup{SIGHUP, SIG_IGN};
  Program program{arguments()};
  const Greeting server = greetingOf(program.line());
  program.signal(SIGHUP);
  EXPECT_THAT(insertOne(server), StartsWith("HTTP/1.1 200"));
  EXPECT_EQ(endOf(program), "");
}

TEST_F(PersistentState, IsSavedEvenIfNobodyReadsTheOutput) {
  const std::string ready = file.beside("ready");
  Program program{arguments({"--ready-file", ready}), Program::Reader::gone};
  while (!std::filesystem::exists(ready))
    std::this_thread::yield();
  EXPECT_THAT(endOf(program),
              StartsWith("tally-fake: standard output can't be written; listening on http://"));
  EXPECT_THAT(file.all(), ElementsAre("state.json"));
}

TEST_F(PersistentState, IsUnchangedIfTheNewStateCannotBeWritten) {
  (void)saveOne();
  const std::string old = file.contents();
  Program program{arguments({"--ready-file", file.beside("ready")})};
  const Greeting server = greetingOf(program.line());
  (void)insertOne(server);
  program.limitFileSize(old.size() / 2);
  EXPECT_THAT(save(server), HasSubstr("File too large"));
  EXPECT_EQ(endOf(program, 1), "tally-fake: can't save the state in " + file.name() +
                                   ": File too large; the file stays as it was\n");
  EXPECT_THAT(file.all(), ElementsAre("state.json"));
  EXPECT_EQ(file.contents(), old);
}

TEST_F(PersistentState, CanBeLoadedAfterRequestsThatAreNotUtf8) {
  const Greeting server = saveOne();
  {
    Program program{arguments()};
    EXPECT_THAT(
        answer(greetingOf(program.line()), test::postBytes("/v1/payment_intents/%FF", server.sandboxKey, "")),
        StartsWith("HTTP/1.1 404"));
    program.signal(SIGTERM);
    (void)program.rest();
  }
  Program program{arguments()};
  EXPECT_EQ(greetingOf(program.line()).sandboxKey, server.sandboxKey);
}

/// Two services with the same keys can't be in one file.
TEST_F(PersistentState, IsUnchangedWhenTheNewStateIsInvalid) {
  (void)saveOne();
  const std::string old = file.contents();
  Host host{{.virtualClock = true, .stateFile = file.name()}};
  ASSERT_TRUE(host.loadState());
  const auto first = host.find(host.accounts().front().liveKey);
  const auto second = host.add();
  host.saveState();
  const std::string good = file.contents();
  EXPECT_NE(good, old);
  second->service.snapshots().restore(first->service.snapshots().take());
  EXPECT_THAT([&] { host.saveState(); },
              testing::ThrowsMessage<std::runtime_error>(
                  AllOf(HasSubstr("can't save the state in " + file.name() +
                                  ": the written state can't be loaded: services[1]: the key 'sk_live_"),
                        EndsWith("is in use; the file stays as it was, and the new state is in " +
                                 file.name() + ".unsaved"))));
  EXPECT_EQ(file.contents(), good);
  EXPECT_THAT(file.all(), ElementsAre("state.json", "state.json.lock", "state.json.unsaved"));
}

TEST_F(PersistentState, IsRefusedAtStartupWhenItCannotBeSaved) {
  const auto refused = [](const std::string& name) {
    const std::string said = refusalOf({"--port", "0", "--state", name});
    const std::string start = "tally-fake: can't keep the state in " + name + ": ";
    EXPECT_THAT(said, StartsWith(start));
    EXPECT_THAT(said, EndsWith(", or name another file with --state\n"));
    return said.substr(std::min(start.size(), said.size()));
  };
  EXPECT_THAT(refused(file.beside("none/state.json")),
              AllOf(HasSubstr("no file can be created in its folder " + file.beside("none") +
                              ": No such file or directory; create the folder")));
  EXPECT_THAT(refused("/sys/state.json"), HasSubstr("no file can be created in its folder /sys: "));
  EXPECT_THAT(refused("/dev/full"), StartsWith("it is not a regular file; move it away"));
  EXPECT_THAT(refused("/dev/null"), StartsWith("it is not a regular file"));
  EXPECT_THAT(refused(file.beside("")), StartsWith("it is not a regular file"));
  const std::string pipe = file.beside("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(refused(pipe), StartsWith("it is not a regular file"));
  std::filesystem::create_directory(file.beside("state.json.new"));
  EXPECT_THAT(refused(file.name()),
              StartsWith("can't write " + file.name() + ".new: Is a directory; fix the problem"));
  EXPECT_THAT(file.all(), ElementsAre("pipe", "state.json.new"));
}

TEST_F(PersistentState, IsRefusedAndKeptWhenWriteProtected) {
  (void)saveOne();
  const std::string old = file.contents();
  ASSERT_EQ(::chmod(file.name().c_str(), 0444), 0);
  EXPECT_EQ(refusal(), "tally-fake: can't keep the state in " + file.name() +
                           ": it is write-protected; make it writable, or name another file with --state\n");
  EXPECT_EQ(file.contents(), old);
  EXPECT_EQ(modeOf(file.name()), 0444U);
}

TEST_F(PersistentState, KeepsItsModeAndOwner) {
  const Greeting server = saveOne();
  ASSERT_EQ(::chmod(file.name().c_str(), 0600), 0);
  const bool root = ::geteuid() == 0;
  constexpr uid_t somebody = 12'345;
  if (root) {
    ASSERT_EQ(::chown(file.name().c_str(), somebody, somebody + 1), 0);
  }
  EXPECT_EQ(saveOne().sandboxKey, server.sandboxKey);
  EXPECT_EQ(modeOf(file.name()), 0600U);
  if (root) {
    EXPECT_EQ(statusOfFile(file.name()).st_uid, somebody);
    EXPECT_EQ(statusOfFile(file.name()).st_gid, somebody + 1);
  }
}

/// The last link leads to a file that does not exist at first.
TEST_F(PersistentState, IsSavedThroughSymbolicLinks) {
  std::filesystem::create_directory(file.beside("kept"));
  std::filesystem::create_symlink("kept/last", file.name());
  std::filesystem::create_symlink(file.beside("kept/real"), file.beside("kept/last"));
  const Greeting server = saveOne();
  EXPECT_EQ(saveOne().sandboxKey, server.sandboxKey);
  EXPECT_TRUE(std::filesystem::is_symlink(file.name()));
  EXPECT_TRUE(std::filesystem::is_symlink(file.beside("kept/last")));
  EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(file.beside("kept/real"))));
  std::filesystem::remove(file.name());
  std::filesystem::create_symlink(file.name(), file.name());
  EXPECT_THAT(refusal(), HasSubstr("Too many levels of symbolic links"));
}

TEST_F(PersistentState, IsUsedByOnlyOneServerAtATime) {
  const std::string link = file.beside("link");
  std::filesystem::create_symlink("state.json", link);
  const std::vector<std::string> second{"--port", "0", "--state", link, "--ready-file", file.beside("ready")};
  const auto refusedBecauseOf = [&](Program& first) {
    (void)greetingOf(first.line());
    EXPECT_EQ(refusalOf(second),
              "tally-fake: can't keep the state in " + link +
                  ": it is in use by another tally-fake; stop that one, or name another file "
                  "with --state\n");
    EXPECT_TRUE(std::filesystem::exists(file.beside("ready"))) << "that of the first";
  };
  {
    Program first{arguments({"--ready-file", file.beside("ready")})};
    refusedBecauseOf(first);
    EXPECT_EQ(endOf(first), "");
  }
  {
    Program first{arguments({"--ready-file", file.beside("ready")})};
    refusedBecauseOf(first);
    first.endAtOnce();
  }
  Program third{second};
  EXPECT_NE(third.line(), "") << third.rest();
}

TEST_F(PersistentState, CannotBeSavedInTheReadyFile) {
  (void)saveOne();
  const std::string old = file.contents();
  EXPECT_THAT(refusalOf(arguments({"--ready-file", file.beside("./state.json")}), 2),
              StartsWith("tally-fake: --state and --ready-file name the same file; see"));
  EXPECT_THAT(refusalOf({"--port", "0", "--state", ""}, 2),
              StartsWith("tally-fake: --state takes the name of a file, not ''; see"));
  EXPECT_EQ(file.contents(), old);
}

TEST_F(PersistentState, IsReplacedAtomically) {
  const StateFile kept{file.name()};
  EXPECT_EQ(kept.contents(), std::nullopt);
  kept.replace("a", acceptAny);
  kept.replace("bc", acceptAny);
  EXPECT_EQ(kept.contents(), "bc");
  std::filesystem::create_directory(file.beside("state.json.new"));  // so that the next can't be written
  EXPECT_THROW(kept.replace("d", acceptAny), std::runtime_error);
  EXPECT_EQ(kept.contents(), "bc");
}

/// The change of a folder can't be written to the disk unless the folder can be read.
TEST_F(PersistentState, IsReplacedWithAWarningIfItsFolderCannotBeRead) {
  const StateFile kept{file.name()};
  const std::filesystem::path folder = std::filesystem::path{file.name()}.parent_path();
  const bool root = ::geteuid() == 0;
  constexpr uid_t somebody = 12'345;
  ASSERT_EQ(::chmod(folder.c_str(), 0300), 0);
  if (root) {
    ASSERT_EQ(::chown(folder.c_str(), somebody, somebody), 0);
    ASSERT_EQ(::seteuid(somebody), 0);
  }
  EXPECT_THAT([&] { kept.replace("a", acceptAny); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("may not survive a failure")));
  if (root) ASSERT_EQ(::seteuid(0), 0);
  ASSERT_EQ(::chmod(folder.c_str(), 0700), 0);
  EXPECT_EQ(kept.contents(), "a");
}

TEST_F(PersistentState, IsReplacedEvenIfAPartialFileIsLeft) {
  std::ofstream{file.beside("other")} << "other";
  std::filesystem::create_symlink("other", file.beside("state.json.new"));
  const StateFile kept{file.name()};
  std::ofstream{file.beside("state.json.new")} << std::string(100'000, 'x');
  kept.replace("a", acceptAny);
  EXPECT_EQ(kept.contents(), "a");
  EXPECT_EQ(contentsOf(file.beside("other")), "other");
}

TEST_F(PersistentState, IsReplacedOnlyIfTheWrittenFilePassesItsCheck) {
  const StateFile kept{file.name()};
  kept.replace("old", acceptAny);
  const std::string large(200'001, 'x');
  const auto damage = [&](const std::string&) { throw std::runtime_error{"unfit"}; };
  EXPECT_THAT([&] { kept.replace(large, damage); }, testing::ThrowsMessage<std::runtime_error>(
                                                        HasSubstr("can't be loaded: unfit; the file stays")));
  EXPECT_EQ(kept.contents(), "old");
  EXPECT_EQ(contentsOf(file.beside("state.json.unsaved")), large) << "it exists nowhere else";
  kept.replace(large, [&](const std::string& written) { EXPECT_EQ(written, large); });
  EXPECT_EQ(kept.contents(), large);
}

}  // namespace

}  // namespace tally::fake::detail
