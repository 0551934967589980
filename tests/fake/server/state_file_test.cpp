#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "fake/server/support/control_fixture.h"
#include "fake/server/support/peer.h"
#include "fake/server/support/program.h"
#include "file_input.h"
#include "file_output.h"

namespace tally::fake::detail {

namespace {

using test::Greeting;
using test::greetingOf;
using test::Peer;
using test::Program;
using testing::HasSubstr;
using testing::StartsWith;

/// A name for a file, which does not exist yet and is removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : name_(testing::TempDir() + "tally_state_" + std::to_string(getpid()) + name) {
    remove();
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { remove(); }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::string contents() const { return contentsOf(name_); }
  void write(std::string_view text) const { std::ofstream{name_} << text; }

 private:
  void remove() const {
    std::filesystem::remove(name_);
    std::filesystem::remove(name_ + ".new");
  }

  std::string name_;
};

class StateFile : public testing::Test {
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
  /// Starts a server that can't use its state, and returns what it says.
  std::string refusal() {
    Program program{arguments()};
    std::string said = program.rest();
    EXPECT_EQ(program.status(), 1);
    return said;
  }

  TemporaryFile file{testing::UnitTest::GetInstance()->current_test_info()->name()};
};

TEST_F(StateFile, TheNextRunContinuesWhereTheLastOneEnded) {
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
  EXPECT_FALSE(std::filesystem::exists(file.name() + ".new"));
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

TEST_F(StateFile, IsSavedOnRequest) {
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
TEST_F(StateFile, OfAKilledServerIsTheOldOneOrTheNewOne) {
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

TEST_F(StateFile, ThatIsDamagedIsRefusedAndKept) {
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
    EXPECT_THAT(said, HasSubstr("tally-fake: " + file.name() + ": "));
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

TEST_F(StateFile, ThatCannotBeWrittenIsAnError) {
  Host host{{.virtualClock = true, .stateFile = testing::TempDir() + "no_such_folder/state.json"}};
  (void)host.add();
  EXPECT_FALSE(host.loadState());
  EXPECT_THAT([&] { host.saveState(); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("can't write " + testing::TempDir())));
}

TEST_F(StateFile, IsReplacedAsAWhole) {
  replaceContents(file.name(), "a");
  replaceContents(file.name(), "bc");
  EXPECT_EQ(file.contents(), "bc");
  std::filesystem::create_directory(file.name() + ".new");  // so that the next state can't be written
  EXPECT_THROW(replaceContents(file.name(), "d"), std::runtime_error);
  EXPECT_EQ(file.contents(), "bc");
}

}  // namespace

}  // namespace tally::fake::detail
