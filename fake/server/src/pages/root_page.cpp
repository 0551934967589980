#include "pages/root_page.h"

#include <cstddef>
#include <utility>

#include <tally/version.h>

#include "pages/embedded_files.h"
#include "text/find_header.h"

namespace tally::fake::detail {

namespace {

using tally::detail::findHeader;

void replaceAll(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

std::string escaped(std::string html) {
  replaceAll(html, "&", "&amp;");
  replaceAll(html, "<", "&lt;");
  replaceAll(html, ">", "&gt;");
  replaceAll(html, "\"", "&quot;");
  return html;
}

}  // namespace

HttpResponse rootPage(const HttpRequest& request, std::string_view scheme) {
  const std::string* host = findHeader(request.headers, "Host");
  const std::string* accept = findHeader(request.headers, "Accept");
  const std::string base = std::string{scheme} + "://" + (host == nullptr ? "localhost:7878" : *host);
  const bool html = accept != nullptr && accept->find("text/html") != std::string::npos;
  std::string body{embeddedFile(html ? "root.html" : "root.txt")};
  replaceAll(body, "{version}", version);
  replaceAll(body, "{base}", html ? escaped(base) : base);
  return {.status = 200,
          .headers = {{"Content-Type", html ? "text/html; charset=utf-8" : "text/plain; charset=utf-8"},
                      {"Vary", "Accept"}},
          .body = std::move(body)};
}

}  // namespace tally::fake::detail
