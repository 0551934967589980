#include "pages/root_page.h"

#include <array>

#include <tally/version.h>

#include "text/find_header.h"

namespace tally::fake::detail {

namespace {

using tally::detail::findHeader;

std::string escaped(std::string_view text) {
  std::string html;
  for (const char c : text)
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  return html;
}

/// What a path of the server is for. In text, `{base}` stands for the address of the server.
struct Link {
  std::string_view what;
  std::string_view path;
};

constexpr std::string_view title = "tally-fake";
constexpr std::string_view purpose =
    "This is a fake of the payments API for tests and development: it has the states, errors, limits and "
    "faults "
    "of the service, and no money.";
constexpr std::array links{Link{"The page that shows accounts, requests, limits and faults", "/_fake/"},
                           Link{"The accounts and their keys", "/_fake/accounts"},
                           Link{"The payments API in OpenAPI", "/_fake/openapi.json"},
                           Link{"The control API in OpenAPI", "/_fake/control.openapi.json"},
                           Link{"Metrics for Prometheus", "/_fake/metrics"},
                           Link{"Health", "/_fake/health"}};
constexpr std::string_view help =
    "tally-fake --help lists the options; docs/tally-fake.md in tally's sources explains all of it.";

std::string asText(const std::string& base) {
  std::string text = std::string{title} + ' ' + std::string{version} + "\n\n" + std::string{purpose} + "\n\n";
  text += "Base address of the API: " + base + "\n";
  text += "A new account with its keys: curl -X POST " + base + "/_fake/accounts\n\n";
  for (const Link& link : links)
    text += std::string{link.what} + ": " + base + std::string{link.path} + '\n';
  return text + '\n' + std::string{help} + '\n';
}

std::string asHtml(const std::string& base) {
  const std::string address = escaped(base);
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light "
      "dark\">\n"
      "<title>tally-fake</title>\n<style>body{font-family:sans-serif;max-width:45em;margin:2em "
      "auto;padding:0 1em}"
      "</style>\n";
  html += "<h1>" + std::string{title} + ' ' + std::string{version} + "</h1>\n<p>" + std::string{purpose} +
          "</p>\n";
  html += "<p>Base address of the API: <code>" + address + "</code></p>\n";
  html +=
      "<p>A new account with its keys: <code>curl -X POST " + address + "/_fake/accounts</code></p>\n<ul>\n";
  for (const Link& link : links)
    html += "<li><a href=\"" + std::string{link.path} + "\">" + std::string{link.what} + "</a></li>\n";
  return html + "</ul>\n<p>" + std::string{help} + "</p>\n</html>\n";
}

}  // namespace

HttpResponse rootPage(const HttpRequest& request, std::string_view scheme) {
  const std::string* host = findHeader(request.headers, "Host");
  const std::string* accept = findHeader(request.headers, "Accept");
  const std::string base = std::string{scheme} + "://" + (host == nullptr ? "localhost:7878" : *host);
  const bool html = accept != nullptr && accept->find("text/html") != std::string::npos;
  return {.status = 200,
          .headers = {{"Content-Type", html ? "text/html; charset=utf-8" : "text/plain; charset=utf-8"},
                      {"Vary", "Accept"}},
          .body = html ? asHtml(base) : asText(base)};
}

}  // namespace tally::fake::detail
