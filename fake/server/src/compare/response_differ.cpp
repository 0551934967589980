#include "compare/response_differ.h"

#include <algorithm>
#include <optional>

#include "compare/json_differ.h"
#include "errors.h"
#include "json/json_reader.h"
#include "objects/inserted_object.h"
#include "tables/refusal.h"
#include "tables/schema_types.h"
#include "text/ascii.h"
#include "text/utf8_sequence.h"
#include "wire.h"

namespace tally::fake::detail {

namespace {

namespace header = tally::detail::header;

constexpr std::string_view contentType = "Content-Type";
constexpr std::string_view endpoints = "Endpoints";
constexpr std::string_view errorsSection = "Errors";
constexpr std::string_view messageName = "message";

bool isSuccess(int status) {
  return status / 100 == 2;
}

/// Whole seconds since 1970: recorded numbers may exceed the range of nanoseconds.
std::chrono::seconds wholeSeconds(Instant time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch();
}

std::string inQuotes(std::string_view text) {
  return '\'' + std::string{text} + '\'';
}

/// Cuts a long text, between two characters of UTF-8.
std::string cut(std::string_view text) {
  constexpr std::size_t longest = 80;
  if (text.size() <= longest) return std::string{text};
  std::size_t end = longest;
  while (end > 0 && tally::detail::continuesUtf8(text[end]))
    --end;
  return std::string{text.substr(0, end)} + "…";
}

/// `is 5 instead of 3`; texts are cut, as they may be whole objects.
std::string insteadOf(std::string_view recorded, std::string_view fake) {
  return "is " + cut(recorded) + " instead of " + cut(fake);
}

/// The error of the description that a response of the fake is; null if it is none.
const ErrorResponse* errorOf(const HttpResponse& fake, const ErrorText& text) {
  const auto isIt = [&](const ErrorResponse* error) {
    return error->status == fake.status && error->code == text.code && error->type == text.type;
  };
  const auto found = std::ranges::find_if(errorResponses, isIt);
  return found == errorResponses.end() ? nullptr : *found;
}

/// Whether the service says that it lacks the operation.
bool deniesOperation(std::string_view code) {
  return code == errors::pathUnknown.code || code == errors::methodNotAllowed.code;
}

bool isCode(std::string_view code) {
  return std::ranges::any_of(errorResponses, [&](const ErrorResponse* error) { return error->code == code; });
}

ErrorText errorIn(std::string_view text) {
  const JsonDocument body{text};
  const auto error = body.problem() ? std::nullopt : memberOf(body.root(), "error");
  if (!error) return {};
  return {.type = textOf(*error, "type"), .code = textOf(*error, "code"), .param = textOf(*error, "param")};
}

/// The type without parameters, in lower case.
std::string mediaType(std::string_view value) {
  std::string type{value.substr(0, value.find(';'))};
  while (!type.empty() && type.back() == ' ')
    type.pop_back();
  std::ranges::transform(type, type.begin(), tally::detail::asciiLower);
  return type;
}

Rule ruleOfError(std::string_view name) {
  return Rule::of(place("error", name), errorsSection);
}

Rule ruleOfOperation(const Observation& seen) {
  const std::string name = seen.name();
  Rule rule = Rule::of(place("", name), endpoints);
  if (rule.assumption == nullptr && seen.operation() != nullptr)
    rule.assumption =
        Rule::of(place("", name) + " on " + place("", seen.operation()->resource->name), "").assumption;
  return rule;
}

/// The start of an identifier that names the operation. Empty if the fake lacks the operation, because its
/// path may contain the identifier of an object.
std::string operationPrefix(const Observation& seen) {
  return seen.operation() != nullptr ? seen.name() + ':' : std::string{};
}

/// Like operationPrefix(), for operations whose effects differ. Empty for a read, because all reads show the
/// same.
std::string writerOf(const Observation& seen) {
  return seen.changesItsObject() || seen.creates() ? operationPrefix(seen) : std::string{};
}

/// The method and the path of an operation that the fake lacks, with `{id}` for the parts of the path that
/// have a digit, which are identifiers, except for the version.
std::string withoutIds(std::string_view name) {
  std::size_t at = std::min(name.find('/', name.find('/') + 1), name.size());
  std::string common{name.substr(0, at)};
  while (at < name.size()) {
    const std::size_t end = std::min(name.find('/', at + 1), name.size());
    const std::string_view part = name.substr(at, end - at);
    common += std::ranges::any_of(part, tally::detail::isDigit) ? "/{id}" : part;
    at = end;
  }
  return common;
}

/// The fields that show in which state an object is.
Paths pathsOfStates(const ResourceType& type) {
  Paths paths;
  for (const auto& assignments : type.machine().shows)
    for (const Assignment& assignment : assignments)
      paths.emplace_back(assignment.target);
  return paths;
}

}  // namespace

HttpResponse responseWith(const ErrorResponse& error, std::string_view reason) {
  HttpResponse response{.status = error.status, .headers = {{std::string{contentType}, "application/json"}}};
  if (error.requestId) response.headers.push_back({std::string{header::requestId}, "req_1"});
  if (error.rateLimitedReason)
    response.headers.push_back({std::string{header::rateLimitedReason}, std::string{reason}});
  response.body = errorBody({.response = &error, .detail = "…"});
  return response;
}

void ResponseDiffer::lacksOperation(const Observation& seen) {
  findings_.cannotJudge("the fake has no operation " + withoutIds(seen.name()), seen.number());
}

bool ResponseDiffer::compareOutcome(const Observation& seen, const HttpResponse& fake) {
  const bool fakeFails = !isSuccess(fake.status);
  const ErrorText text = fakeFails ? errorIn(fake.body) : ErrorText{};
  const ErrorResponse* error = fakeFails ? errorOf(fake, text) : nullptr;
  const std::string name{error == nullptr ? "unknown" : error->name};
  const bool succeeds = isSuccess(seen.status());
  if (succeeds && fakeFails) {
    const std::string param = text.param.empty() ? std::string{} : ':' + text.param;
    findings_.differ("accepted:" + name + param, ruleOfError(name),
                     seen.name() + " was accepted; the fake refuses it with " + std::to_string(fake.status) +
                         ' ' + text.code,
                     seen.number());
    return false;
  }
  if (!succeeds && !fakeFails) {
    const std::string code = seen.error().code.empty() ? std::to_string(seen.status()) : seen.error().code;
    findings_.differ("refused:" + seen.name() + ':' + code, ruleOfOperation(seen),
                     seen.name() + " was refused with " + std::to_string(seen.status()) + ' ' +
                         seen.error().code + "; the fake accepts it",
                     seen.number());
    return false;
  }
  if (!fakeFails) {
    if (seen.status() != fake.status)
      findings_.differ("status:" + seen.name(), ruleOfOperation(seen),
                       "the status of " + seen.name() + ' ' +
                           insteadOf(std::to_string(seen.status()), std::to_string(fake.status)),
                       seen.number());
    compareHeaders(seen, fake, "success");
    return true;
  }
  compareErrors(seen, fake, error);
  return false;
}

void ResponseDiffer::compareHeaders(const Observation& seen, const HttpResponse& fake,
                                    std::string_view subject) {
  compareHeader(seen, fake, subject, header::requestId);
  compareHeader(seen, fake, subject, header::rateLimitedReason);
  if (fake.header("Allow") != nullptr) compareHeader(seen, fake, subject, "Allow");
  const std::string* theirs = seen.recorded().response->header(contentType);
  const std::string* ours = fake.header(contentType);
  const std::string type = theirs == nullptr ? std::string{} : mediaType(*theirs);
  if (ours == nullptr || type == mediaType(*ours)) return;
  findings_.differ(
      "header:" + std::string{contentType} + ':' + std::string{subject}, Rule{.section = endpoints},
      std::string{contentType} + " of " + seen.name() + ' ' + insteadOf(inQuotes(type), inQuotes(*ours)),
      seen.number());
}

/// Only whether it is there.
void ResponseDiffer::compareHeader(const Observation& seen, const HttpResponse& fake,
                                   std::string_view subject, std::string_view name) {
  const bool theirs = seen.recorded().response->header(name) != nullptr;
  if (theirs == (fake.header(name) != nullptr)) return;
  findings_.differ(
      "header:" + std::string{name} + ':' + (theirs ? "additional:" : "missing:") + std::string{subject},
      Rule::of(place("header", name), errorsSection),
      std::string{name} + (theirs ? " is additional" : " is missing") + " in a response of " + seen.name() +
          " (" + std::string{subject} + ')',
      seen.number());
}

void ResponseDiffer::compareErrors(const Observation& seen, const HttpResponse& fake,
                                   const ErrorResponse* error) {
  const std::string name{error == nullptr ? "unknown" : error->name};
  const Rule rule = ruleOfError(name);
  const std::string code = seen.error().code;
  if (error != nullptr && code != error->code && isCode(code)) {
    if (seen.operation() == nullptr && !deniesOperation(code)) return lacksOperation(seen);
    findings_.differ("error.other:" + operationPrefix(seen) + name + ':' + code, rule,
                     seen.name() + " was refused with " + std::to_string(seen.status()) + ' ' + code +
                         "; the fake refuses it with " + std::to_string(error->status) + ' ' +
                         std::string{error->code},
                     seen.number());
    return;
  }
  const bool isLimit = error == &errors::rateLimit || error == &errors::lockTimeout;
  compareHeaders(seen, fake, isLimit ? name : "error");
  if (seen.status() != fake.status)
    findings_.differ(
        "error.status:" + name, rule,
        "the status of " + name + ' ' + insteadOf(std::to_string(seen.status()), std::to_string(fake.status)),
        seen.number());
  const JsonDocument body{fake.body};
  if (seen.arrival().method == "HEAD" || body.problem()) return;
  if (seen.body() == nullptr) {
    findings_.differ("error.body:" + name, Rule::assumed("error_body", errorsSection),
                     "the body of " + name + " is not a JSON object", seen.number());
    return;
  }
  compareJson(seen.body()->root(), body.root(), nullptr, [&](const ValueDifference& found) {
    const bool isMessage = found.field == messageName;
    if (isMessage && !found.isShape() && !options_.messages) return;
    if (found.isShape()) {
      findings_.differ(std::string{toString(found.change)} + ':' + found.path,
                       found.path == "error.param" || found.path == "error.code"
                           ? rule
                           : Rule::assumed("error_body", errorsSection),
                       found.path + " of " + name + " is " + std::string{toString(found.change)},
                       seen.number());
    } else {
      findings_.differ(found.path + ':' + name, rule,
                       found.path + " of " + name + ' ' + insteadOf(found.recorded, found.fake),
                       seen.number());
    }
  });
}

void ResponseDiffer::shape(const Observation& seen, const ValueDifference& found, const Struct& model) {
  const std::string owner = found.owner.empty() ? std::string{model.name} : found.owner;
  const std::string field = found.owner.empty() ? found.path : found.field;
  std::string text = found.path + " of " + std::string{model.name};
  if (found.change == ValueChange::type) {
    text += ' ' + insteadOf(found.recorded, found.fake);
  } else {
    text += " is " + std::string{toString(found.change)};
  }
  findings_.differ(std::string{toString(found.change)} + ':' + owner + '.' + field,
                   Rule::of(place("", owner + '.' + field), place("", owner), endpoints),
                   text + " in a response of " + seen.name(), seen.number());
}

void ResponseDiffer::comparePrefix(const Observation& seen, const ResourceType& type, const FreshId& id,
                                   std::string_view recorded) {
  const std::string prefix = '"' + std::string{id.path.field().idPrefix};
  if (recorded.starts_with(prefix)) return;
  const std::string resource{type.resource().name};
  findings_.differ(
      "id_prefix:" + resource + '.' + std::string{id.name}, Rule::of(place("", resource), endpoints),
      std::string{id.name} + " of " + resource + ' ' + insteadOf(std::string{recorded}, prefix + "…\""),
      seen.number());
}

void ResponseDiffer::compareAdopted(const Observation& seen, const ResourceType& type,
                                    const JsonValue& object) {
  for (const FreshId& id : type.freshIds()) {
    const auto value = memberOf(object, id.name);
    if (value && value->isString() && !value->is(redacted)) comparePrefix(seen, type, id, value->text());
  }
  const auto created = integerOf(object, "created");
  const std::chrono::seconds latest = wholeSeconds(seen.end()) + options_.skew;
  constexpr std::chrono::days unsure{366};  // of a clock of which the recording shows nothing else
  if (!created || *created <= (latest + unsure).count()) return;
  const std::string resource{type.resource().name};
  findings_.differ("value:" + resource + ".created",
                   Rule::of(place("", resource + ".created"), place("", resource), endpoints),
                   "created of " + resource + " is " + std::to_string(*created) + " in a response at " +
                       std::to_string(latest.count()),
                   seen.number());
}

/// Identifiers of new objects have the same prefix, and their time lies within the request.
bool ResponseDiffer::isDueToCreation(const ShownObject& shown, const ValueDifference& found) {
  if (!shown.isNew) return false;
  const auto& fresh = shown.type.freshIds();
  const auto id = std::ranges::find(fresh, found.path, &FreshId::name);
  if (id != fresh.end()) {
    comparePrefix(shown.seen, shown.type, *id, found.recorded);
    return true;
  }
  if (found.path != "created") return false;
  const auto created = JsonDocument{found.recorded}.root().integer();
  if (!created) return false;
  const std::chrono::seconds time{*created};
  return time >= wholeSeconds(shown.seen.start()) + options_.skew - options_.unsure &&
         time <= wholeSeconds(shown.seen.end()) + options_.skew + options_.unsure;
}

void ResponseDiffer::value(const ShownObject& shown, const ValueDifference& found) {
  if (isDueToCreation(shown, found)) return;
  const Observation& seen = shown.seen;
  const std::string resource{shown.type.resource().name};
  const bool writes = seen.changesItsObject() || seen.creates();
  Rule rule = writes ? ruleOfOperation(seen)
                     : Rule::of(place("", resource + '.' + found.path), place("", resource), endpoints);
  if (found.path == "metadata" && seen.changesItsObject())
    rule = Rule::of(place("", "metadata_edit"), endpoints);
  const bool isFixed = found.path == "livemode" || found.path == "object";  // the mirror can't adopt them
  findings_.differ(
      "value:" + (isFixed ? std::string{} : writerOf(seen)) + resource + '.' + found.path, rule,
      found.path + " of " + resource + ' ' + insteadOf(found.recorded, found.fake) + " after " + seen.name(),
      seen.number());
}

/// Reports another state as such, instead of each field in which it differs. Returns whether it did.
bool ResponseDiffer::compareStates(const ShownObject& shown, const JsonValue& recorded,
                                   const JsonValue& fake) {
  const ResourceType& type = shown.type;
  if (type.machine().states.empty() || !shown.judgesValues) return false;
  AnyObject theirs{type.model()};
  AnyObject ours{type.model()};
  if (tally::detail::readJson(recorded.text(), theirs.ref())) return false;
  if (tally::detail::readJson(fake.text(), ours.ref())) return false;
  const auto own = shownState(type, ours.ref(), type.machine().initial);
  if (!own) return false;
  const auto other = shownState(type, theirs.ref(), *own);
  if (!other || *other == *own) return false;
  const Observation& seen = shown.seen;
  const std::string resource{type.resource().name};
  Rule rule = ruleOfOperation(seen);
  if (!seen.changesItsObject()) rule = {.section = "States and transitions"};
  findings_.differ("state:" + writerOf(seen) + resource, rule,
                   resource + " is " + std::string{type.machine().states[*other]} + " instead of " +
                       std::string{type.machine().states[*own]} + " after " + seen.name(),
                   seen.number());
  return true;
}

bool ResponseDiffer::compareObject(const ShownObject& shown, const JsonValue& recorded,
                                   const JsonValue& fake) {
  std::vector<ValueDifference> values;
  compareJson(recorded, fake, &shown.type.model(), [&](const ValueDifference& found) {
    if (found.isShape()) {
      shape(shown.seen, found, shown.type.model());
    } else {
      values.push_back(found);
    }
  });
  if (values.empty()) return true;
  const Paths states = compareStates(shown, recorded, fake) ? pathsOfStates(shown.type) : Paths{};
  for (const ValueDifference& found : values) {
    const std::string_view outermost = std::string_view{found.path}.substr(0, found.path.find('.'));
    const bool isKnown = shown.unknown == nullptr || !shown.unknown->contains(outermost);
    if (shown.judgesValues && isKnown && !isAmong(states, found.path)) value(shown, found);
  }
  return false;
}

void ResponseDiffer::compareEnvelope(const Observation& seen, const JsonValue& recorded,
                                     const JsonValue& fake) {
  static constexpr std::string_view judgedElsewhere[] = {"data", "has_more", "next_page", "total_count"};
  const std::string envelope = seen.operation()->kind == OperationKind::search ? "search_result" : "list";
  const auto isJudged = [&](const ValueDifference& found) {
    return std::ranges::find(judgedElsewhere, found.path) != std::end(judgedElsewhere) &&
           (!found.isShape() || found.path == "next_page" || found.path == "total_count");
  };
  compareJson(recorded, fake, nullptr, [&](const ValueDifference& found) {
    if (isJudged(found)) return;
    const Rule rule = Rule::of(place("", envelope + '.' + found.path), place("", envelope), "List object");
    const std::string subject = found.path + " of " + seen.name();
    if (found.isShape()) {
      findings_.differ(std::string{toString(found.change)} + ':' + envelope + '.' + found.path, rule,
                       subject + " is " + std::string{toString(found.change)}, seen.number());
    } else {
      findings_.differ("value:" + envelope + '.' + found.path, rule,
                       subject + ' ' + insteadOf(found.recorded, found.fake), seen.number());
    }
  });
}

}  // namespace tally::fake::detail
