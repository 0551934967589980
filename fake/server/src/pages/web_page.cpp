#include "pages/web_page.h"

#include <algorithm>
#include <array>
#include <string>

#include "pages/embedded_files.h"

namespace tally::fake::detail {

namespace {

/// Only the page's own files run or load, so that nothing in a request can.
constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

struct PageFile {
  std::string_view path;
  std::string_view name;
  std::string_view type;
};

constexpr std::array pageFiles{PageFile{"", "index.html", "text/html; charset=utf-8"},
                               PageFile{"page.css", "page.css", "text/css; charset=utf-8"},
                               PageFile{"page.js", "page.js", "text/javascript; charset=utf-8"}};

}  // namespace

std::optional<HttpResponse> webPage(std::string_view path) {
  const auto file = std::ranges::find(pageFiles, path, &PageFile::path);
  if (file == pageFiles.end()) return std::nullopt;
  return HttpResponse{.status = 200,
                      .headers = {{"Content-Type", std::string{file->type}},
                                  {"Content-Security-Policy", std::string{policy}},
                                  {"X-Content-Type-Options", "nosniff"},
                                  {"Referrer-Policy", "no-referrer"},
                                  {"Cache-Control", "no-cache"}},
                      .body = std::string{embeddedFile(file->name)}};
}

}  // namespace tally::fake::detail
