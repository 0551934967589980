#include "web_page.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "errors.h"
#include "tables/refusal.h"

namespace tally::fake::detail {

namespace {

/// Only the page's own files run or load, so that nothing in a request can.
constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string_view typeOf(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> types{
      {{".html", "text/html; charset=utf-8"},
       {".css", "text/css; charset=utf-8"},
       {".js", "text/javascript; charset=utf-8"}}};
  const auto found =
      std::ranges::find_if(types, [&](const auto& type) { return name.ends_with(type.first); });
  return found == types.end() ? "application/json" : found->second;
}

HttpResponse contentOf(const WebFile& file) {
  return {.status = 200,
          .headers = {{"Content-Type", std::string{typeOf(file.name)}},
                      {"Content-Security-Policy", std::string{policy}},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cache-Control", "no-cache"}},
          .body = std::string{file.content}};
}

}  // namespace

std::optional<HttpResponse> webPage(std::string_view method, std::string_view path) {
  const std::string_view name = path.empty() ? "index.html" : path;
  const auto file = std::ranges::find(webFiles, name, &WebFile::name);
  if (file == webFiles.end()) return std::nullopt;
  if (method == "GET" || method == "HEAD") return contentOf(*file);
  const Refusal refusal{.response = &errors::methodNotAllowed,
                        .value = std::string{method} + " /_fake/" + std::string{path}};
  return HttpResponse{.status = refusal.response->status,
                      .headers = {{"Content-Type", "application/json"}, {"Allow", "GET, HEAD"}},
                      .body = errorBody(refusal)};
}

}  // namespace tally::fake::detail
