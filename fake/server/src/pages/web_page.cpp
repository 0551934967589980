#include "pages/web_page.h"

#include <algorithm>
#include <string>

#include "pages/embedded_files.h"

namespace tally::fake::detail {

namespace {

/// Only the page's own files run or load, so that nothing in a request can.
constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string_view typeOf(std::string_view name) {
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  return name.ends_with(".css") ? "text/css; charset=utf-8" : "text/html; charset=utf-8";
}

/// The names of the page's files are their paths; other files are embedded, too.
const EmbeddedFile* fileAt(std::string_view path) {
  if (!path.empty() && path != "page.css" && !(path.starts_with("page/") && path.ends_with(".js")))
    return nullptr;
  const std::string_view name = path.empty() ? "index.html" : path;
  const auto file = std::ranges::find(embeddedFiles, name, &EmbeddedFile::name);
  return file == embeddedFiles.end() ? nullptr : &*file;
}

}  // namespace

std::optional<HttpResponse> webPage(std::string_view path) {
  const EmbeddedFile* file = fileAt(path);
  if (file == nullptr) return std::nullopt;
  return HttpResponse{.status = 200,
                      .headers = {{"Content-Type", std::string{typeOf(file->name)}},
                                  {"Content-Security-Policy", std::string{policy}},
                                  {"X-Content-Type-Options", "nosniff"},
                                  {"Referrer-Policy", "no-referrer"},
                                  {"Cache-Control", "no-cache"}},
                      .body = std::string{file->text}};
}

}  // namespace tally::fake::detail
