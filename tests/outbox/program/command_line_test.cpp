// The command line of tally-outbox, without a database.

#include <cstdlib>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tally/version.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outbox/program/outbox_program.h"
#include "temporary_folder.h"

namespace tally::test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Arguments = std::vector<std::string>;

class TallyOutboxCommandLine : public testing::Test {
 protected:
  TallyOutboxCommandLine() {
    unsetenv("TALLY_OUTBOX_DATABASE");
    unsetenv("TALLY_BASE_URL");
    setenv("SHOP_KEY", "sk_test_secret", 1);
  }

  /// `work` with a database that can't be reached.
  static Arguments work(const Arguments& more) {
    Arguments all{"work",          "--database", "host=/nowhere",     "--domain",
                  "shop=SHOP_KEY", "--base-url", "http://127.0.0.1:1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(TallyOutboxCommandLine, PrintsHelpAndVersion) {
  for (const Arguments& arguments : {Arguments{"--help"}, Arguments{"help"}, Arguments{"work", "--help"}}) {
    const auto [status, output] = runOutboxProgram(arguments);
    EXPECT_EQ(status, 0);
    EXPECT_THAT(output, StartsWith("usage: tally-outbox COMMAND"));
    EXPECT_THAT(output, HasSubstr("Exit status:"));
  }
  const auto [status, output] = runOutboxProgram({"--version"});
  EXPECT_EQ(status, 0);
  EXPECT_EQ(output, "tally-outbox " + std::string{version} + '\n');
}

TEST_F(TallyOutboxCommandLine, IsDocumentedWithEveryOptionAndCommand) {
  const std::string page = textOfFile(TALLY_OUTBOX_PAGE);
  const std::string help = runOutboxProgram({"--help"}).output;
  std::set<std::string> words;
  const std::regex head{"\n  (--[-a-z]+|[a-z]+)"};
  for (std::sregex_iterator at{help.begin(), help.end(), head}, end; at != end; ++at)
    words.insert((*at)[1]);
  EXPECT_GT(words.size(), 20U);
  for (const std::string& word : words) {
    if (word == "help" || word == "--help" || word == "--version") continue;
    EXPECT_THAT(page, HasSubstr("`" + word));
  }
}

TEST_F(TallyOutboxCommandLine, IsRefusedWithAnExplanationIfInvalid) {
  const std::vector<std::pair<Arguments, std::string>> problems{
      {{}, "a command is missing"},
      {{"wrok"}, "unknown command 'wrok'"},
      {{"status", "--databse", "x"}, "unknown option '--databse'"},
      {{"status", "--database"}, "--database needs a value"},
      {{"status", "--database="}, "--database must not be empty"},
      {{"status", "--help=1"}, "--help takes no value"},
      {{"status"}, "status needs --database URL, or TALLY_OUTBOX_DATABASE in the environment"},
      {{"status", "shop", "--database", "x"}, "status takes no arguments"},
      {{"status", "--lease", "9", "--database", "x"}, "--lease is not an option of status"},
      {{"retry", "--database", "x"}, "retry takes NUMBER..."},
      {{"retry", "seven", "--database", "x"},
       "the number of a report takes a number from 1 to 9223372036854775807, not 'seven'"},
      {{"retry", "1", "0", "--database", "x"}, "not '0'"},
      {{"pause", "shop", "--database", "x"}, "pause takes DOMAIN REASON"},
      {{"limit-waiting", "shop", "--database", "x"}, "limit-waiting takes DOMAIN COUNT"},
      {{"limit-waiting", "shop", "few", "--database", "x"},
       "COUNT (or none) takes a number from 0 to 9223372036854775807, not 'few'"},
      {{"erase", "shop", "--database", "x"}, "erase takes DOMAIN OBJECT"},
      {{"enqueue", "shop", "--database", "x"}, "enqueue takes DOMAIN FILE"},
      {{"enqueue", "shop", "f", "--priority", "lo", "--database", "x"},
       "--priority takes normal or low, not 'lo'"},
      {{"enqueue", "shop", "f", "--not-before", "tomorrow", "--database", "x"},
       "--not-before takes a number from 0 to 253402300799, not 'tomorrow'"},
      {{"work", "--database", "x"}, "work needs --domain NAME=VARIABLE"},
      {{"work", "--database", "x", "--domain", "shop=SHOP_KEY"},
       "work needs --base-url URL, or TALLY_BASE_URL in the environment"},
      {{"work", "--domain", "shop"}, "--domain takes NAME=VARIABLE or NAME=@FILE"},
      {{"work", "--domain", "shop=@"}, "@FILE"},
      {work({"--domain", "shop=OTHER"}), "--domain names 'shop' twice"},
      {work({"--lease", "0"}), "--lease takes a number from 1 to 3600, not '0'"},
      {work({"--timeout", "8"}), "--timeout must be at most half of --lease"},
      {work({"--window", "-1"}), "--window takes a number from 1 to 1000000, not '-1'"},
      {work({"--max-in-flight", "0"}), "--max-in-flight takes a number from 1 to 10000"},
      {work({"--retention", "a year"}), "--retention takes a number from 0 to 36500"},
      {work({"--metrics", "9464"}), "--metrics takes an IP address and a port, such as 127.0.0.1:9464"},
      {work({"--metrics", "::1:9464"}), "or [::1]:9464, not '::1:9464'"},
      {work({"--metrics", "127.0.0.1:99999"}), "the port of --metrics takes a number from 0 to 65535"},
      {work({"--base-url", "localhost"}), "--base-url takes the address of the service, such as https://"},
      {work({"--base-url", "http://localhost?x=1"}), "--base-url takes"},
      {work({"--base-url", "http://"}), "--base-url takes"},
      {work({"--base-url", "ftp://localhost"}), "--base-url takes"},
      {work({"--base-url", "http://fake:7878"}),
       "--base-url with plain http:// would expose the key to the network: use https://, or set "
       "--allow-plain-http"},
      {work({"--base-url", "http://localhost:80@fake"}),
       "--base-url with plain http:// would expose the key"},
      {work({"--base-url", "http://[::1]:80", "--domain", "blog=BLOG_KEY"}), "BLOG_KEY is not set"},
      {work({"--base-url", "http://fake", "--allow-plain-http", "--domain", "blog=BLOG_KEY"}),
       "BLOG_KEY is not set"},
      {work({"--domain", "blog=BLOG_KEY"}),
       "--domain blog: the variable BLOG_KEY is not set; set it to the key of the domain"}};
  for (const auto& [arguments, problem] : problems) {
    const auto [status, output] = runOutboxProgram(arguments);
    EXPECT_EQ(status, 2) << problem;
    EXPECT_THAT(output, AllOf(StartsWith("tally-outbox: "), HasSubstr(problem),
                              ContainsRegex("(; s|[?] S)ee tally-outbox --help\n$")));
  }
}

TEST_F(TallyOutboxCommandLine, DoesNotRevealAKeyGivenInsteadOfAVariable) {
  const auto [status, output] =
      runOutboxProgram({"work", "--database", "x", "--domain", "shop=sk_live_secret"});
  EXPECT_EQ(status, 2);
  EXPECT_THAT(output,
              AllOf(HasSubstr("the key itself must not be on the command line"), Not(HasSubstr("secret"))));
}

TEST_F(TallyOutboxCommandLine, FailsIfAKeyFileIsMissingUnreadableOrInvalid) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> files{
      {(folder.path() / "missing").string(), "can't be opened"},
      {folder.path().string(), "can't be read"},
      {folder.write("empty", " \n"), "is empty"},
      {folder.write("two", "sk_test_1\nsk_test_2\n"), "contains more than a key"},
      {folder.write("long", std::string(9'000, 'a')), "contains more than a key"}};
  for (const auto& [file, problem] : files) {
    const auto [status, output] = runOutboxProgram(
        {"work", "--database", "x", "--base-url", "http://127.0.0.1:1", "--domain", "shop=@" + file});
    EXPECT_EQ(status, 1);
    EXPECT_EQ(output, "tally-outbox: --domain shop: the key file " + file + ' ' + problem + '\n');
  }
}

TEST_F(TallyOutboxCommandLine, FailsIfTheDatabaseCannotBeReached) {
  for (const Arguments& arguments : {Arguments{"status", "--database", "host=/nowhere"}, work({})}) {
    const auto [status, output] = runOutboxProgram(arguments);
    EXPECT_EQ(status, 1);
    EXPECT_THAT(output, AllOf(HasSubstr("tally-outbox: "), HasSubstr("/nowhere"), Not(HasSubstr("secret"))));
  }
}

TEST_F(TallyOutboxCommandLine, FailsIfItCannotListenOnTheMetricsAddress) {
  const auto [status, output] = runOutboxProgram(work({"--metrics", "192.0.2.1:9464"}));
  EXPECT_EQ(status, 1);
  EXPECT_THAT(output, HasSubstr("--metrics: can't listen on 192.0.2.1:9464: "));
}

}  // namespace
}  // namespace tally::test
