#include "emit/docs/operation_reference.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <string>
#include <vector>

#include "emit/docs/markdown.h"
#include "emit/docs/operation_example.h"
#include "emit/sdk/search_fields.h"
#include "emit/text/docs_text.h"
#include "model/named.h"

namespace tally::codegen::emit {

namespace {

using model::AppliesTo;
using model::Kind;

std::string source(const model::Description& description, const model::Provenance& provenance) {
  std::string text;
  if (!provenance.section.empty()) text = "documented: " + linkTo("specification.md", provenance.section);
  for (const std::string& key : provenance.assumptions)
    text += (text.empty() ? "assumed: " : "; assumed: ") +
            linkTo("assumptions.md", assumptionPoint(description, key));
  return cell(text);
}

/// The elements of `range` as code, with commas.
template <class Range, class ToText>
std::string codes(const Range& range, ToText toText) {
  std::vector<std::string> texts;
  for (const auto& item : range)
    texts.push_back(code(toText(item)));
  return joined(texts);
}

std::string identifier(const std::string& prefix) {
  return "identifier " + code(prefix + "…");
}

std::string typeText(const model::Type& type) {
  switch (type.kind) {
    case Kind::id:
      return identifier(type.tag->idPrefix);
    case Kind::openEnum:
      return "open set: " + codes(type.values->values, [](const auto& value) { return value.text; });
    case Kind::integer:
      return "integer";
    case Kind::boolean:
      return "boolean";
    case Kind::time:
      return "time: " + code("std::chrono::sys_seconds") + "; on the wire, seconds since the Unix epoch";
    case Kind::object:
      return code(type.object->name);
    case Kind::list:
      return "list of " + typeText(type.element.front());
    case Kind::metadata:
    case Kind::metadataEdit:
      return "map of strings";
    case Kind::rawJson:
      return "object";
    case Kind::constant:
    case Kind::query:
    case Kind::string:
      break;
  }
  return "string";
}

std::string fieldType(const model::Field& field) {
  std::string text = field.constant.empty() ? typeText(field.type) : code(field.constant);
  if (field.nullable) text += " or null";
  if (field.lowercaseLetters != 0)
    text += ", " + std::to_string(field.lowercaseLetters) + " lowercase letters";
  return cell(text);
}

/// What a field means and which values it may have.
std::string meaning(const model::Field& field) {
  const std::string range = rangeText(field);
  return cell(field.description + (field.description.empty() || range.empty() ? "" : " ") + range);
}

Data fieldRows(const model::Description& description, const std::vector<model::Field>& fields) {
  return listOf(fields, [&](const model::Field& field) {
    return object({{"name", field.name},
                   {"type", fieldType(field)},
                   {"required", field.required ? "yes" : "no"},
                   {"meaning", meaning(field)},
                   {"source", source(description, field.provenance)}});
  });
}

/// The parameters, after the identifier in the path.
std::vector<model::Field> parametersOf(const model::Resource& resource, const model::Operation& operation) {
  std::vector<model::Field> fields;
  if (operation.hasId())
    fields.push_back({.name = "id",
                      .description = "The object, in the path.",
                      .type = {.kind = Kind::id, .tag = resource.tag},
                      .required = true,
                      .provenance = operation.provenance});
  if (operation.params != nullptr)
    fields.insert(fields.end(), operation.params->fields.begin(), operation.params->fields.end());
  return fields;
}

/// Whether the states of the resource refuse the operation with this error.
bool refuses(const model::ErrorResponse& error, const model::Resource& resource,
             const model::Operation& operation) {
  return std::ranges::any_of(resource.machine.transitions, [&](const model::Transition& transition) {
    return transition.trigger == &operation && transition.refusal == &error;
  });
}

bool applies(AppliesTo group, const model::Resource& resource, const model::Operation& operation) {
  switch (group) {
    case AppliesTo::all:
      return true;
    case AppliesTo::objects:
      return operation.hasId();
    case AppliesTo::lists:
      return operation.kind == model::OperationKind::list;
    case AppliesTo::parameters:
      return operation.params != nullptr;
    case AppliesTo::bodies:
      return operation.body != model::Body::none;
    case AppliesTo::changes:
      return operation.post && operation.hasId();
    case AppliesTo::reads:
      return !operation.post && !resource.outsideReadAllocation;
    case AppliesTo::none:
      break;
  }
  return false;
}

/// Whether any operation with parameters can respond with the error. The index lists these errors once.
bool isCommon(const model::ErrorResponse& error) {
  return error.appliesTo == AppliesTo::all || error.appliesTo == AppliesTo::parameters;
}

Data errorRows(const model::Description& description,
               const std::vector<const model::ErrorResponse*>& errors) {
  return listOf(errors, [&](const model::ErrorResponse* error) {
    return object({{"code", error->code},
                   {"status", error->status},
                   {"type", error->type},
                   {"message", cell(error->message)},
                   {"source", source(description, error->provenance)}});
  });
}

bool names(const model::Limit& limit, const model::Operation& operation) {
  return std::ranges::find(limit.operations, &operation) != limit.operations.end();
}

/// Whether a limit that names the operation replaces the rate limit of each operation.
bool replaced(const model::Description& description, const model::Limit& limit,
              const model::Operation& operation) {
  const bool endpointRate = limit.operations.empty() && limit.scope == model::LimitScope::operation &&
                            limit.metric == model::LimitMetric::requests;
  return endpointRate && std::ranges::any_of(description.limits, [&](const model::Limit& other) {
           return names(other, operation) && other.metric != model::LimitMetric::inProgress &&
                  other.onlyWithParam.empty() && !other.addsToEndpointRate;
         });
}

std::string number(const std::optional<std::int64_t>& number) {
  return number ? std::to_string(*number) : "off";
}

std::string counts(const model::Limit& limit) {
  std::string text{limit.metric == model::LimitMetric::inProgress
                       ? "requests in progress"
                       : model::nameOf(model::limitMetrics, limit.metric)};
  if (!limit.onlyWithParam.empty()) text += " with " + code(limit.onlyWithParam);
  text.append(" per ").append(model::nameOf(model::limitScopes, limit.scope));
  if (limit.window != 0) text += ", in " + std::to_string(limit.window) + " s";
  return text;
}

std::string reasonText(const model::Description& description, const model::Limit& limit) {
  for (const model::Enum& values : description.enums)
    for (const model::EnumValue& value : values.values)
      if (values.cppName == "RateLimitedReason" && value.cppName == limit.reason) return value.text;
  return limit.reason;
}

Data limitRows(const model::Description& description, const std::vector<const model::Limit*>& limits) {
  return listOf(limits, [&](const model::Limit* limit) {
    return object({{"name", limit->name},
                   {"description", cell(limit->description)},
                   {"counts", counts(*limit)},
                   {"live", number(limit->live)},
                   {"sandbox", number(limit->sandbox)},
                   {"reason", reasonText(description, *limit)},
                   {"source", source(description, limit->provenance)}});
  });
}

/// The items for which `wanted` holds.
template <class Items, class Wanted>
auto those(const Items& items, Wanted wanted) {
  std::vector<typename Items::const_pointer> result;
  for (const auto& item : items)
    if (wanted(item)) result.push_back(&item);
  return result;
}

Data stateRows(const model::Description& description, const model::StateMachine& machine,
               const model::Operation& operation) {
  const auto transitions = those(machine.transitions, [&](const model::Transition& transition) {
    return transition.trigger == &operation;
  });
  return listOf(transitions, [&](const model::Transition* transition) {
    return object(
        {{"before", codes(transition->before, [&](std::size_t state) { return machine.states[state].name; })},
         {"after", transition->refusal != nullptr
                       ? "error " + code(transition->refusal->code)
                       : "the object, now " + code(machine.states[transition->after].name)},
         {"source", source(description, transition->provenance)}});
  });
}

std::string readsText(const model::Resource& resource, const model::Operation& operation) {
  if (operation.post) return {};
  return resource.outsideReadAllocation ? "These reads are outside the read allocation."
                                        : "Each request counts towards the read allocation.";
}

Data operationData(const model::Description& description, const model::Resource& resource,
                   const model::Operation& operation) {
  const auto fails = [&](const model::ErrorResponse& error) {
    return !isCommon(error) &&
           (applies(error.appliesTo, resource, operation) || refuses(error, resource, operation));
  };
  const auto errors = those(description.errors, fails);
  const auto limits =
      those(description.limits, [&](const model::Limit& limit) { return names(limit, operation); });
  const auto without = those(description.limits, [&](const model::Limit& limit) {
    return limit.operations.empty() && replaced(description, limit, operation);
  });
  const auto parameters = parametersOf(resource, operation);
  return object({{"method", operation.method},
                 {"summary", operation.summary},
                 {"verb", operation.post ? "POST" : "GET"},
                 {"path", operation.path},
                 {"name", operation.name},
                 {"page", resource.plural + ".md"},
                 {"anchor", anchor(operation.method)},
                 {"source", source(description, operation.provenance)},
                 {"has_params", !parameters.empty()},
                 {"params", fieldRows(description, parameters)},
                 {"has_states", operation.kind == model::OperationKind::report},
                 {"states", stateRows(description, resource.machine, operation)},
                 {"signature", signatureOf(resource, operation)},
                 {"call", exampleCall(resource, operation)},
                 {"request", exampleRequest(resource, operation)},
                 {"has_errors", !errors.empty()},
                 {"errors", errorRows(description, errors)},
                 {"has_limits", !limits.empty()},
                 {"limits", limitRows(description, limits)},
                 {"without", codes(without, [](const model::Limit* limit) { return limit->name; })},
                 {"reads", readsText(resource, operation)}});
}

/// `payment_records` -> `Payment records`.
std::string titleOf(const model::Resource& resource) {
  std::string title = spoken(resource.plural);
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  return title;
}

/// The fields that searches can use.
Data searchFieldRows(const model::Resource& resource) {
  return listOf(resource.searchable, [&](const std::string& path) {
    const model::Field& field = *resource.model->at(path);
    const bool keys = field.type.kind == Kind::metadata;
    return object({{"field", path + (keys ? R"(["key"])" : "")},
                   {"member", searchFieldName(*resource.model, path) + (keys ? R"(("key"))" : "")},
                   {"type", keys ? "string" : typeText(field.type)}});
  });
}

std::string windowText(std::int64_t seconds) {
  constexpr std::int64_t secondsPerDay = 86'400;
  if (seconds % secondsPerDay != 0) return std::to_string(seconds) + " s";
  return std::to_string(seconds / secondsPerDay) + (seconds == secondsPerDay ? " day" : " days");
}

}  // namespace

Data referenceData(const model::Description& description, const model::Resource& resource) {
  const std::string header = "tally/" + resource.unit->stem + ".h";
  return object({{"title", titleOf(resource)},
                 {"resource", resource.tag->name},
                 {"description", resource.description},
                 {"accessor", resource.accessor},
                 {"service", resource.service},
                 {"header", header},
                 {"header_path", "../../sdk/generated/include/" + header},
                 {"operations", listOf(resource.operations,
                                       [&](const model::Operation* operation) {
                                         return operationData(description, resource, *operation);
                                       })},
                 {"model_description", resource.model->description},
                 {"model_source", source(description, resource.model->provenance)},
                 {"fields", fieldRows(description, resource.model->fields)},
                 {"example", resource.example},
                 {"search_fields_type", resource.isSearched() ? resource.searchFieldsType() : ""},
                 {"search_fields", searchFieldRows(resource)},
                 {"has_machine", !resource.machine.states.empty()},
                 {"diagram", resource.plural + "_states.svg"},
                 {"machine_states", listOf(resource.machine.states, [&](const model::State& state) {
                    return object({{"name", state.name},
                                   {"meaning", cell(state.description)},
                                   {"source", source(description, state.provenance)}});
                  })}});
}

Data referenceIndexData(const model::Description& description) {
  const auto concernsAll = [](const model::Limit& limit) { return limit.operations.empty(); };
  const model::ReadAllocation& allocation = description.readAllocation;
  return object(
      {{"resources", listOf(description.resources,
                            [](const model::Resource& resource) {
                              return object(
                                  {{"operations",
                                    listOf(resource.operations, [&](const model::Operation* operation) {
                                      return object({{"name", operation->name},
                                                     {"page", resource.plural + ".md"},
                                                     {"anchor", anchor(operation->method)},
                                                     {"verb", operation->post ? "POST" : "GET"},
                                                     {"path", operation->path},
                                                     {"summary", cell(operation->summary)}});
                                    })}});
                            })},
       {"common_errors", errorRows(description, those(description.errors, isCommon))},
       {"errors", errorRows(description, those(description.errors, std::not_fn(isCommon)))},
       {"common_limits", limitRows(description, those(description.limits, concernsAll))},
       {"limits", limitRows(description, those(description.limits, std::not_fn(concernsAll)))},
       {"has_allocation", allocation.window != 0},
       {"per_transaction", allocation.readsPerTransaction},
       {"minimum", allocation.minimum},
       {"window", windowText(allocation.window)},
       {"allocation_source", source(description, allocation.provenance)}});
}

}  // namespace tally::codegen::emit
