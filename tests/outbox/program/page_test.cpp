// The commands with which docs/outbox.md begins, as a reader types them.

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/peer.h"
#include "fake/server/support/program.h"
#include "outbox/postgres_server.h"
#include "outbox/program/outbox_program.h"

namespace tally::test {
namespace {

using ::testing::HasSubstr;

/// A script with the commands. The fake is that of the test, since the port of the page may be in use. The
/// script waits until the worker has applied the report, and lets it use a server without durable commits.
std::string scriptOfPage(const std::string& url) {
  std::string page = textOfFile(TALLY_OUTBOX_START_PAGE);
  page = page.substr(0, page.find("```\n\n"));
  page = std::regex_replace(page, std::regex{"\n\\$ tally-fake [^\n]*"}, "");
  page = std::regex_replace(page, std::regex{"http://127\\.0\\.0\\.1:7878"}, url);
  page = std::regex_replace(
      page, std::regex{"(tally-outbox work [^\n]*) &"},
      "exec 3< <($1 --allow-loss-on-power-failure 2>&1); grep -m 1 event=report_applied <&3");
  std::string script = "set -euo pipefail\n";
  const std::regex command{"\n\\$ ([^\n]*)"};
  for (std::sregex_iterator at{page.begin(), page.end(), command}, end; at != end; ++at)
    script += (*at)[1].str() + '\n';
  return script + "kill $!\n";
}

}  // namespace

TEST(OutboxPage, ContainsCommandsThatApplyAReport) {
  if (!PostgresServer::isInstalled()) GTEST_SKIP() << "PostgreSQL is not installed";
  Program fake{{"--port", "0", "--records", "1"}};
  const std::string path =
      std::filesystem::path{TALLY_OUTBOX}.parent_path().string() + ':' + std::getenv("PATH");
  Process shell{"/usr/bin/env",
                {"PATH=" + path, "PGHOST=" + PostgresServer::instance().folder().string(), "PGUSER=owner",
                 "bash", "-c", scriptOfPage(greetingOf(fake.line()).url)}};
  const std::string output = shell.rest();
  EXPECT_EQ(shell.status(), 0) << output;
  EXPECT_THAT(output, HasSubstr("pr_6361pbeG2hSL7ujCXIS366oT | applied |")) << output;
}

}  // namespace tally::test
