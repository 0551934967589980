#include "engine/respond.h"

#include <cstddef>
#include <utility>

#include "tables/schema_types.h"
#include "wire.h"

namespace tally::fake::detail {

namespace {

constexpr int methodNotAllowed = 405;

/// Makes the body invalid as JSON and UTF-8, wherever it is cut.
void garble(std::string& body) {
  for (std::size_t i = 0; i < body.size(); i += 3)
    body[i] = '\xfe';
}

/// The value of the `Allow` header. A path that supports GET supports HEAD.
std::string methodsOf(const Route& route) {
  const bool gets = route.takes[static_cast<std::size_t>(Method::get)];
  const bool posts = route.takes[static_cast<std::size_t>(Method::post)];
  std::string methods = gets ? "GET, HEAD" : "";
  if (posts) methods += gets ? ", POST" : "POST";
  return methods;
}

HttpResponse plain(Response&& outcome, const Route& route, std::string&& requestId) {
  HttpResponse response;
  response.headers.reserve(3);
  response.headers.emplace_back("Content-Type", "application/json");
  if (!requestId.empty())
    response.headers.emplace_back(std::string{tally::detail::header::requestId}, std::move(requestId));
  if (const auto* deferred = std::get_if<Deferred>(&outcome)) outcome = (*deferred)();
  if (auto* body = std::get_if<std::string>(&outcome)) {
    response.status = 200;
    response.body = std::move(*body);
    return response;
  }
  const auto& refusal = std::get<Refusal>(outcome);
  response.status = refusal.response->status;
  response.body = errorBody(refusal);
  if (!refusal.rateLimitedReason.empty())
    response.headers.push_back(
        {std::string{tally::detail::header::rateLimitedReason}, refusal.rateLimitedReason});
  if (response.status == methodNotAllowed) response.headers.push_back({"Allow", methodsOf(route)});
  return response;
}

}  // namespace

HttpResponse respond(RequestContext& context) {
  auto* injected = std::get_if<HttpResponse>(&context.rule.response);
  HttpResponse response = injected != nullptr ? std::move(*injected)
                                              : plain(std::move(context.response), context.arrival.route,
                                                      std::move(context.requestId));
  for (Header& header : context.rule.headers)
    response.headers.push_back(std::move(header));
  spoil(context.rule.kind, response.body);
  return response;
}

void spoil(fake::Fault fault, std::string& body) {
  if (fault == fake::Fault::truncatedBody) body.resize(body.size() / 2);
  if (fault == fake::Fault::garbledBody) garble(body);
}

std::string emptyPage(const AnyOperation& operation) {
  const bool search = operation.kind == OperationKind::search;
  std::string body =
      search ? R"({"object":"search_result","data":[],"has_more":true,"next_page":"page_","url":")"
             : R"({"object":"list","data":[],"has_more":true,"url":")";
  body += operation.path;
  body += "\"}";
  return body;
}

}  // namespace tally::fake::detail
