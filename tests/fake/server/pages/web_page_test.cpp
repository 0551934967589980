#include "pages/web_page.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"

namespace tally::fake::detail {

namespace {

using testing::HasSubstr;
using testing::Not;

std::string sourceOf(const std::string& name) {
  std::ifstream file{TALLY_WEB_FOLDER "/" + name, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string allScripts() {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{TALLY_WEB_FOLDER "/page"})
    if (entry.path().extension() == ".js")
      all += sourceOf(std::filesystem::relative(entry.path(), TALLY_WEB_FOLDER).string());
  return all;
}

class WebPage : public ControlTest {
 protected:
  HttpResponse file(const std::string& path) {
    return send({.method = Method::get, .url = "/_fake/" + path});
  }
};

TEST_F(WebPage, IsServedWithoutAKey) {
  const std::vector<std::array<std::string, 3>> files{
      {"", "index.html", "text/html; charset=utf-8"},
      {"page.css", "page.css", "text/css; charset=utf-8"},
      {"page/main.js", "page/main.js", "text/javascript; charset=utf-8"},
      {"page/views/limits.js", "page/views/limits.js", "text/javascript; charset=utf-8"}};
  for (const auto& [path, source, type] : files) {
    const HttpResponse response = file(path);
    EXPECT_EQ(response.status, 200) << path;
    EXPECT_EQ(*response.header("Content-Type"), type);
    EXPECT_EQ(response.body, sourceOf(source)) << path;
    EXPECT_GT(response.body.size(), 1000U);
    EXPECT_EQ(*response.header("X-Content-Type-Options"), "nosniff");
  }
}

TEST_F(WebPage, IsFoundWithoutTheLastSlash) {
  const HttpResponse response = send({.method = Method::get, .url = "/_fake"});
  EXPECT_EQ(response.status, 308);
  EXPECT_EQ(*response.header("Location"), "/_fake/");
  EXPECT_EQ(send({.method = Method::post, .url = "/_fake"}).status, 401) << "an operation that the API lacks";
}

/// Each module is served under the path by which others import it.
TEST_F(WebPage, ImportsOnlyScriptsThatAreServed) {
  const std::regex import{"from '([^']+)';"};
  int imports = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{TALLY_WEB_FOLDER "/page"}) {
    if (entry.path().extension() != ".js") continue;
    const std::string path = std::filesystem::relative(entry.path(), TALLY_WEB_FOLDER).string();
    const std::string script = sourceOf(path);
    EXPECT_EQ(file(path).body, script) << path;
    for (auto found = std::sregex_iterator{script.begin(), script.end(), import};
         found != std::sregex_iterator{}; ++found, ++imports) {
      const auto target = (std::filesystem::path{path}.parent_path() / (*found)[1].str()).lexically_normal();
      EXPECT_EQ(file(target.string()).status, 200) << target << " imported by " << path;
    }
  }
  EXPECT_GT(imports, 50);
}

TEST_F(WebPage, ForbidsScriptsAndResourcesFromElsewhere) {
  const HttpResponse page = file("");
  EXPECT_EQ(
      *page.header("Content-Security-Policy"),
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  EXPECT_EQ(*page.header("Referrer-Policy"), "no-referrer");
  EXPECT_THAT(page.body, Not(HasSubstr("style=")));
  EXPECT_FALSE(std::regex_search(page.body, std::regex{"\\son[a-z]+="}))
      << "it would be a script in the page";
  EXPECT_FALSE(
      std::regex_search(page.body, std::regex{"<script(?! src=\"page/main.js\" type=\"module\"></script>)"}));
}

/// Text from requests is never parsed as HTML, and the page follows the description, not names of its own.
TEST_F(WebPage, NeitherParsesTextAsHtmlNorHardCodesResources) {
  const std::string script = allScripts();
  for (const char* parses : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
                             "Function(", "createContextualFragment", "srcdoc"})
    EXPECT_THAT(script, Not(HasSubstr(parses)));
  for (const char* resource : {"payment_record", "payout", "invoice", "subscription"})
    EXPECT_THAT(script, Not(HasSubstr(resource)));
}

TEST_F(WebPage, AcceptsOnlyGetAndHeadRequestsForItsOwnFiles) {
  const HttpResponse refused = send({.method = Method::post, .url = "/_fake/page/main.js"});
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(*refused.header("Allow"), "GET, HEAD");
  EXPECT_EQ(send({.method = Method::get, .url = "/_fake/"}, "HEAD").status, 200);
  for (const char* path : {"page.txt", "page.js", "main.js", "page/limits.js", "page/", "page/root.html",
                           "root.html", "page/../root.html", "payouts.json"})
    EXPECT_EQ(file(path).status, 404) << path;
}

}  // namespace

}  // namespace tally::fake::detail
