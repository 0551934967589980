#include "control/control.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <span>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "control/control_operations.h"
#include "errors.h"
#include "pages/root_page.h"
#include "pages/web_page.h"
#include "request/request_head.h"
#include "tables/refusal.h"
#include "tables/utf8.h"
#include "text/suggestion.h"
#include "text/url.h"

namespace tally::fake::detail {

namespace json = boost::json;

namespace {

constexpr std::string_view prefix = "/_fake/";

constexpr std::string_view getMethod = "GET";
constexpr std::string_view postMethod = "POST";
constexpr std::string_view headMethod = "HEAD";

/// HEAD is a GET without the response body.
bool isRead(std::string_view method) {
  return method == getMethod || method == headMethod;
}

bool takes(const ControlOperation& operation, std::string_view method) {
  return operation.method == method || (operation.method == getMethod && isRead(method));
}

/// The value of the `Allow` header.
std::string methodsOf(const ControlOperation& operation) {
  return operation.method == getMethod ? "GET, HEAD" : std::string{operation.method};
}

/// The segment that matches `*`, or an empty one if the pattern has none. Nothing if the path does not match.
std::optional<std::string_view> match(std::string_view pattern, std::string_view path) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos)
    return pattern == path ? std::optional{std::string_view{}} : std::nullopt;
  const std::string_view before = pattern.substr(0, star);
  const std::string_view after = pattern.substr(star + 1);
  if (path.size() <= before.size() + after.size() || !path.starts_with(before) || !path.ends_with(after))
    return std::nullopt;
  const std::string_view id = path.substr(before.size(), path.size() - before.size() - after.size());
  return id.find('/') == std::string_view::npos ? std::optional{id} : std::nullopt;
}

/// To the web page, which is what somebody who omits the last slash wants.
HttpResponse toWebPage() {
  HttpResponse response = responseWith("text/plain", std::string{prefix} + '\n', 308);
  response.headers.push_back({"Location", std::string{prefix}});
  return response;
}

HttpResponse refused(const Refusal& refusal) {
  return responseWith(jsonType, errorBody(refusal), refusal.response->status);
}

std::optional<std::string> keyIn(const HttpRequest& request) {
  const RequestHead head = headOf(request);
  return head.authorization == nullptr ? std::nullopt : keyOf(*head.authorization);
}

std::string idIn(std::string_view segment) {
  if (auto id = tally::detail::percentDecode(segment)) return *std::move(id);
  throw BadInput{"the path has a '%' that is not followed by two hexadecimal digits"};
}

/// The body of a GET or a DELETE has no meaning, so any member is unknown.
void checkBody(const ControlOperation& operation, const JsonInput& body) {
  if (operation.method != postMethod) body.finish();
}

/// Parses the query. Throws if a parameter is unknown to the operation or given twice.
std::vector<SentParam> queryOf(const ControlOperation& operation, const HttpRequest& request) {
  std::vector<SentParam> query = sentParams({.url = request.url});
  const auto used = std::span{operation.query}.first(
      static_cast<std::size_t>(std::ranges::find(operation.query, "") - operation.query.begin()));
  for (const SentParam& param : query) {
    if (std::ranges::find(used, param.name) == used.end())
      throw BadInput{readable(param.name) + ": unknown parameter" +
                     tally::detail::suggestionOrList(param.name, used)};
    if (std::ranges::count(query, param.name, &SentParam::name) > 1)
      throw BadInput{param.name + ": given twice"};
  }
  return query;
}

/// `segment` is the part of the path that matches `*`.
Reply carryOut(const ControlOperation& operation, Host& host, const HttpRequest& request,
               std::string_view segment, const StopToken& stop) {
  const std::optional<std::string> key = keyIn(request);
  const std::optional<Owner> owner = key ? host.ownerOf(*key) : std::nullopt;
  if (operation.aboutAccount && !key) return refused({.response = &errors::keyMissing});
  if (operation.aboutAccount && !owner) return refused({.response = &errors::keyUnknown});
  try {
    const JsonDocument body = parseInput(request.body.empty() ? "{}" : std::string_view{request.body});
    ControlCall call{.host = host,
                     .key = key.value_or(""),
                     .owner = owner.value_or(Owner{}),
                     .id = idIn(segment),
                     .input = JsonInput{body},
                     .query = queryOf(operation, request),
                     .stop = stop,
                     .request = &request};
    checkBody(operation, call.input);
    if (operation.respond != nullptr) return operation.respond(call);
    return responseWith(jsonType, json::serialize(operation.carryOut(call)));
  } catch (const std::invalid_argument& problem) {
    return refused(unreadable(problem.what()));
  } catch (const std::exception& problem) {
    return refused({.response = &errors::apiError, .detail = problem.what()});
  }
}

/// Asks for the operation's path that is most similar to an unknown one.
std::string similarPath(std::string_view path) {
  std::vector<std::string> paths;
  for (const auto table : {controlTable(), serverTable()})
    for (const ControlOperation& operation : table)
      paths.push_back(std::string{prefix} + std::string{operation.path});
  return tally::detail::suggestion(path, paths);
}

}  // namespace

/// Seeding, forking and listing requests may take long and must not hold up other connections.
bool Control::mayBlock(const HttpRequest& request) const {
  return targetOf(request.url).path.starts_with(prefix) || host_.mayBlock(request);
}

Reply Control::handle(const Incoming& incoming, const StopToken& stop) {
  const HttpRequest& request = incoming.request;
  const std::string_view path = targetOf(request.url).path;
  if (path == "/" && isRead(methodOf(incoming))) return rootPage(request, options_.scheme);
  if (path == prefix.substr(0, prefix.size() - 1) && isRead(methodOf(incoming))) return toWebPage();
  if (!path.starts_with(prefix)) return host_.handle(incoming, stop);
  if (const auto refusal = options_.hosts.refusal(request)) return refused(*refusal);
  return respond(incoming, stop);
}

Reply Control::respond(const Incoming& incoming, const StopToken& stop) {
  const HttpRequest& request = incoming.request;
  const std::string_view path = targetOf(request.url).path;
  const std::string_view method = methodOf(incoming);
  auto page = webPage(path.substr(prefix.size()));
  if (page && isRead(method)) return *std::move(page);
  std::string allowed = page ? "GET, HEAD" : "";
  for (const auto table : {controlTable(), serverTable()})
    for (const ControlOperation& operation : table) {
      const auto segment = match(operation.path, path.substr(prefix.size()));
      if (!segment) continue;
      if (takes(operation, method)) return carryOut(operation, host_, request, *segment, stop);
      allowed += (allowed.empty() ? "" : ", ") + methodsOf(operation);
    }
  HttpResponse response = refused(
      {.response = allowed.empty() ? &errors::pathUnknown : &errors::methodNotAllowed,
       .value = std::string{method} + ' ' + std::string{path} + (allowed.empty() ? similarPath(path) : "")});
  if (!allowed.empty()) response.headers.push_back({"Allow", std::move(allowed)});
  return response;
}

}  // namespace tally::fake::detail
