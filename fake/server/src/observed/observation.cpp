#include "observed/observation.h"

#include <utility>

#include "errors.h"
#include "schema/text_param.h"
#include "search/list_page.h"
#include "tables/schema_types.h"
#include "text/find_header.h"
#include "wire.h"

namespace tally::fake::detail {

namespace {

constexpr int tooManyRequests = 429;

ErrorText errorIn(const JsonValue& body) {
  const auto error = memberOf(body, "error");
  if (!error || !error->isObject()) return {};
  return {.type = textOf(*error, "type"),
          .code = textOf(*error, "code"),
          .message = textOf(*error, "message"),
          .param = textOf(*error, "param")};
}

}  // namespace

std::optional<JsonValue> memberOf(const JsonValue& object, std::string_view name) {
  if (!object.isObject()) return std::nullopt;
  for (const auto& [key, value] : object.members())
    if (key.is(name)) return value;
  return std::nullopt;
}

std::string textOf(const JsonValue& object, std::string_view name) {
  const auto value = memberOf(object, name);
  return value && value->isString() ? value->string() : std::string{};
}

std::optional<std::int64_t> integerOf(const JsonValue& object, std::string_view name) {
  const auto value = memberOf(object, name);
  return value && value->isNumber() ? value->integer() : std::nullopt;
}

Observation::Observation(const Catalog& catalog, Recorded recorded)
    : recorded_(std::move(recorded)), arrival_(arrive(catalog, recorded_.request, recorded_.otherMethod)) {
  constexpr int firstError = 400;
  const JsonDocument* text = status() >= firstError ? body() : nullptr;
  if (text != nullptr) error_ = errorIn(text->root());
  outcome_ = classify();
}

Outcome Observation::classify() const {
  if (!recorded_.response) return Outcome::unknown;
  if (error_.code == errors::lockTimeout.code) return Outcome::locked;
  if (status() == tooManyRequests) return classifyTooMany();
  switch (status() / 100) {
    case 2:
      return Outcome::success;
    case 4:
      return Outcome::refused;
    case 5:
      return Outcome::failed;
    default:
      return Outcome::other;
  }
}

/// The header or the code shows this. If the service has changed both, the operation must do.
Outcome Observation::classifyTooMany() const {
  if (tally::detail::findHeader(recorded_.response->headers, tally::detail::header::rateLimitedReason) !=
      nullptr)
    return Outcome::rateLimited;
  if (error_.code == errors::readAllocationExceeded.code) return Outcome::overAllocation;
  if (error_.code == errors::rateLimit.code || error_.type == errors::rateLimit.type)
    return Outcome::rateLimited;
  return changesItsObject() ? Outcome::locked : Outcome::rateLimited;
}

std::string Observation::name() const {
  if (operation() != nullptr) return std::string{operation()->name};
  return std::string{arrival_.method} + ' ' + std::string{targetOf(recorded_.request.url).path};
}

bool Observation::concernsService() const {
  const std::string_view path = targetOf(recorded_.request.url).path;
  return operation() != nullptr ||
         (!recorded_.hadPrefix && (path.starts_with("/v1/") || path.starts_with("/v2/")));
}

bool Observation::changesItsObject() const {
  return operation() != nullptr &&
         (operation()->kind == OperationKind::update || operation()->kind == OperationKind::report);
}

bool Observation::creates() const {
  return operation() != nullptr && operation()->kind == OperationKind::create;
}

bool Observation::pages() const {
  return operation() != nullptr &&
         (operation()->kind == OperationKind::list || operation()->kind == OperationKind::search);
}

bool Observation::selects() const {
  return pages() && (operation()->kind == OperationKind::search || hasFilter(recorded_.request.url));
}

const JsonDocument* Observation::body() const {
  if (!recorded_.response) return nullptr;
  if (!body_) body_.emplace(recorded_.response->body);
  return body_->problem() || !body_->root().isObject() ? nullptr : &*body_;
}

std::vector<JsonValue> Observation::objects() const {
  if (outcome_ != Outcome::success || operation() == nullptr || body() == nullptr) return {};
  const JsonValue root = body()->root();
  if (!pages()) return {root};
  std::vector<JsonValue> all;
  const auto data = memberOf(root, "data");
  if (!data || !data->isArray()) return {};
  for (const JsonValue& element : data->elements())
    if (element.isObject()) all.push_back(element);
  return all;
}

std::string_view Observation::param(std::string_view name) const {
  const ConstObjectRef params = arrival_.params.object.ref();
  const std::string* text = params ? tally::detail::textParam(params, name) : nullptr;
  return text == nullptr ? std::string_view{} : std::string_view{*text};
}

std::string Observation::caller() const {
  std::string text = arrival_.head.authorization == nullptr
                         ? std::string{}
                         : keyOf(*arrival_.head.authorization).value_or("");
  if (arrival_.head.connectedAccount != nullptr) text += '\n' + *arrival_.head.connectedAccount;
  return text;
}

}  // namespace tally::fake::detail
