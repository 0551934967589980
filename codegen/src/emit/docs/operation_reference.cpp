#include <algorithm>
#include <cctype>

#include "emit/docs/state_diagram.h"
#include "emit/text/docs_text.h"
#include "emit/text/emitters.h"

namespace tally::codegen::emit {

namespace {

constexpr std::int64_t secondsPerDay = 86'400;

/// The anchor of a heading.
std::string anchor(const std::string& heading) {
  std::string result;
  for (const char c : heading) {
    const bool separator = c == ' ' || c == '-';
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (separator && !result.ends_with('-'))
      result += '-';
  }
  return result;
}

/// Text for a cell of a table.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text)
    result.append(c == '|' ? "\\|" : std::string(1, c));
  return result;
}

std::string code(const std::string& text) {
  return '`' + text + '`';
}

std::string linkTo(const std::string& page, const std::string& heading) {
  return '[' + heading + "](../" + page + '#' + anchor(heading) + ')';
}

std::string source(const model::Description& description, const model::Provenance& provenance) {
  std::string text;
  if (!provenance.section.empty()) text = "documented: " + linkTo("specification.md", provenance.section);
  for (const std::string& key : provenance.assumptions)
    text += (text.empty() ? "assumed: " : "; assumed: ") +
            linkTo("assumptions.md", assumptionPoint(description, key));
  return text;
}

std::string alternatives(const model::Enum& values) {
  std::string text = "open set: ";
  for (const model::EnumValue& value : values.values)
    text += (&value == &values.values.front() ? "" : ", ") + code(value.text);
  return text;
}

std::string typeText(const model::Type& type) {
  switch (type.kind) {
    case model::Kind::id:
      return "identifier " + code(type.tag->idPrefix + "…");
    case model::Kind::openEnum:
      return alternatives(*type.values);
    case model::Kind::integer:
      return "integer";
    case model::Kind::boolean:
      return "boolean";
    case model::Kind::time:
      return "time: seconds since the Unix epoch";
    case model::Kind::object:
      return code(type.object->name);
    case model::Kind::list:
      return "list of " + typeText(type.element.front());
    case model::Kind::metadata:
    case model::Kind::metadataEdit:
      return "map of strings";
    case model::Kind::rawJson:
      return "object";
    case model::Kind::constant:
    case model::Kind::string:
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
  std::string text = field.description;
  if (const std::string range = rangeText(field); !range.empty()) text += (text.empty() ? "" : " ") + range;
  return cell(text);
}

void addFieldRows(const model::Description& description, const model::Struct& object, Data& list) {
  for (const model::Field& field : object.fields) {
    Data data;
    data.set("name", field.name);
    data.set("type", fieldType(field));
    data.set("required", field.required ? "yes" : "no");
    data.set("meaning", meaning(field));
    data.set("source", source(description, field.provenance));
    list << data;
  }
}

Data fieldRows(const model::Description& description, const model::Struct& object) {
  Data list{Data::type::list};
  addFieldRows(description, object, list);
  return list;
}

Data parameterRows(const model::Description& description, const model::Resource& resource,
                   const model::Operation& operation) {
  Data list{Data::type::list};
  if (operation.hasId()) {
    Data data;
    data.set("name", "id");
    data.set("type", "identifier " + code(resource.tag->idPrefix + "…"));
    data.set("required", "yes");
    data.set("meaning", "The object, in the path.");
    data.set("source", source(description, operation.provenance));
    list << data;
  }
  if (operation.params != nullptr) addFieldRows(description, *operation.params, list);
  return list;
}

/// Whether the states of the resource refuse the operation with this error.
bool refuses(const model::ErrorResponse& error, const model::Resource& resource,
             const model::Operation& operation) {
  const auto& transitions = resource.machine.transitions;
  return std::any_of(transitions.begin(), transitions.end(), [&](const model::Transition& transition) {
    return transition.trigger == &operation && transition.refusal == &error;
  });
}

bool applies(model::AppliesTo group, const model::Resource& resource, const model::Operation& operation) {
  switch (group) {
    case model::AppliesTo::all:
      return true;
    case model::AppliesTo::objects:
      return operation.hasId();
    case model::AppliesTo::lists:
      return operation.kind == model::OperationKind::list;
    case model::AppliesTo::parameters:
      return operation.params != nullptr;
    case model::AppliesTo::bodies:
      return operation.body != model::Body::none;
    case model::AppliesTo::changes:
      return operation.post && operation.hasId();
    case model::AppliesTo::reads:
      return !operation.post && !resource.outsideReadAllocation;
    case model::AppliesTo::none:
      break;
  }
  return false;
}

Data errorRow(const model::Description& description, const model::ErrorResponse& error) {
  Data data;
  data.set("code", error.code);
  data.set("status", std::to_string(error.status));
  data.set("type", error.type);
  data.set("message", cell(error.message));
  data.set("source", source(description, error.provenance));
  return data;
}

Data errorRows(const model::Description& description, const model::Resource& resource,
               const model::Operation& operation) {
  Data list{Data::type::list};
  for (const model::ErrorResponse& error : description.errors)
    if (applies(error.appliesTo, resource, operation) || refuses(error, resource, operation))
      list << errorRow(description, error);
  return list;
}

bool names(const model::Limit& limit, const model::Operation& operation) {
  return std::find(limit.operations.begin(), limit.operations.end(), &operation) != limit.operations.end();
}

/// Whether a limit that names the operation replaces the rate limit of each operation.
bool replaced(const model::Description& description, const model::Limit& limit,
              const model::Operation& operation) {
  const bool endpointRate = limit.operations.empty() && limit.scope == model::LimitScope::operation &&
                            limit.metric == model::LimitMetric::requests;
  return endpointRate &&
         std::any_of(description.limits.begin(), description.limits.end(), [&](const model::Limit& other) {
           return names(other, operation) && other.metric != model::LimitMetric::inProgress &&
                  other.given.empty() && !other.besideEndpointRate;
         });
}

std::string number(const std::optional<std::int64_t>& number) {
  return number ? std::to_string(*number) : "off";
}

std::string counts(const model::Limit& limit) {
  static constexpr std::string_view metrics[] = {"requests", "changes", "requests in progress"};
  static constexpr std::string_view scopes[] = {"account", "operation", "object"};
  std::string text{metrics[static_cast<std::size_t>(limit.metric)]};
  if (!limit.given.empty()) text += " with " + code(limit.given);
  text.append(" per ").append(scopes[static_cast<std::size_t>(limit.scope)]);
  if (limit.window != 0) text += ", in " + std::to_string(limit.window) + " s";
  return text;
}

std::string reasonText(const model::Description& description, const model::Limit& limit) {
  for (const model::Enum& values : description.enums)
    for (const model::EnumValue& value : values.values)
      if (values.cppName == "RateLimitedReason" && value.cppName == limit.reason) return value.text;
  return limit.reason;
}

Data limitRow(const model::Description& description, const model::Limit& limit) {
  Data data;
  data.set("name", limit.name);
  data.set("description", cell(limit.description));
  data.set("counts", counts(limit));
  data.set("live", number(limit.live));
  data.set("sandbox", number(limit.sandbox));
  data.set("reason", reasonText(description, limit));
  data.set("source", source(description, limit.provenance));
  return data;
}

Data limitRows(const model::Description& description, const model::Operation& operation) {
  Data list{Data::type::list};
  for (const model::Limit& limit : description.limits)
    if ((limit.operations.empty() || names(limit, operation)) && !replaced(description, limit, operation))
      list << limitRow(description, limit);
  return list;
}

std::string stateNames(const model::StateMachine& machine, const std::vector<std::size_t>& states) {
  std::string text;
  for (const std::size_t state : states)
    text += (text.empty() ? "" : ", ") + code(machine.states[state].name);
  return text;
}

Data stateRows(const model::Description& description, const model::StateMachine& machine,
               const model::Operation& operation) {
  Data list{Data::type::list};
  for (const model::Transition& transition : machine.transitions) {
    if (transition.trigger != &operation) continue;
    Data data;
    data.set("before", stateNames(machine, transition.before));
    data.set("after", transition.refusal != nullptr
                          ? "error " + code(transition.refusal->code)
                          : "the object, now " + code(machine.states[transition.after].name));
    data.set("source", source(description, transition.provenance));
    list << data;
  }
  return list;
}

Data readsText(const model::Resource& resource, const model::Operation& operation) {
  if (operation.post) return Data{false};
  return Data{resource.outsideReadAllocation ? "These reads are outside the read allocation."
                                             : "Each request counts towards the read allocation."};
}

Data operationData(const model::Description& description, const model::Resource& resource,
                   const model::Operation& operation) {
  const bool report = operation.kind == model::OperationKind::report;
  Data data;
  data.set("method", operation.method);
  data.set("summary", operation.summary);
  data.set("verb", operation.post ? "POST" : "GET");
  data.set("path", operation.path);
  data.set("name", operation.name);
  data.set("source", source(description, operation.provenance));
  data.set("has_params", operation.params != nullptr || operation.hasId());
  data.set("params", parameterRows(description, resource, operation));
  data.set("has_states", report);
  data.set("states", stateRows(description, resource.machine, operation));
  data.set("errors", errorRows(description, resource, operation));
  data.set("limits", limitRows(description, operation));
  data.set("reads", readsText(resource, operation));
  return data;
}

Data operationsData(const model::Description& description, const model::Resource& resource) {
  Data list{Data::type::list};
  for (const model::Operation* operation : resource.operations)
    list << operationData(description, resource, *operation);
  return list;
}

Data machineStates(const model::Description& description, const model::StateMachine& machine) {
  Data list{Data::type::list};
  for (const model::State& state : machine.states) {
    Data data;
    data.set("name", state.name);
    data.set("meaning", cell(state.description));
    data.set("source", source(description, state.provenance));
    list << data;
  }
  return list;
}

/// `payment_records` -> `Payment records`.
std::string titleOf(const model::Resource& resource) {
  std::string title = resource.plural;
  std::replace(title.begin(), title.end(), '_', ' ');
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  return title;
}

Data searchableText(const model::Resource& resource) {
  std::string text;
  for (const std::string& field : resource.searchable)
    text += (text.empty() ? "" : ", ") + code(field);
  return text.empty() ? Data{false} : Data{text};
}

std::string pageOf(const model::Resource& resource) {
  return resource.plural + ".md";
}

std::string diagramOf(const model::Resource& resource) {
  return resource.plural + "_states.svg";
}

std::string referencePage(const model::Description& description, const model::Resource& resource,
                          Templates& templates) {
  const std::string header = "tally/" + resource.unit->stem + ".h";
  Data data;
  data.set("version", description.version);
  data.set("title", titleOf(resource));
  data.set("resource", resource.tag->name);
  data.set("description", resource.description);
  data.set("accessor", resource.accessor);
  data.set("service", resource.service);
  data.set("header", header);
  data.set("header_path", "../../sdk/generated/include/" + header);
  data.set("operations", operationsData(description, resource));
  data.set("model_description", resource.model->description);
  data.set("model_source", source(description, resource.model->provenance));
  data.set("fields", fieldRows(description, *resource.model));
  data.set("searchable", searchableText(resource));
  data.set("has_machine", !resource.machine.states.empty());
  data.set("diagram", diagramOf(resource));
  data.set("machine_states", machineStates(description, resource.machine));
  return templates.render("reference.md", data);
}

Data indexRows(const model::Description& description) {
  Data list{Data::type::list};
  for (const model::Resource& resource : description.resources)
    for (const model::Operation* operation : resource.operations) {
      Data data;
      data.set("name", operation->name);
      data.set("page", pageOf(resource));
      data.set("anchor", anchor(operation->method));
      data.set("verb", operation->post ? "POST" : "GET");
      data.set("path", operation->path);
      data.set("summary", cell(operation->summary));
      list << data;
    }
  return list;
}

Data allErrors(const model::Description& description) {
  Data list{Data::type::list};
  for (const model::ErrorResponse& error : description.errors)
    list << errorRow(description, error);
  return list;
}

Data allLimits(const model::Description& description) {
  Data list{Data::type::list};
  for (const model::Limit& limit : description.limits)
    list << limitRow(description, limit);
  return list;
}

std::string referenceIndex(const model::Description& description, Templates& templates) {
  const model::ReadAllocation& allocation = description.readAllocation;
  Data data;
  data.set("version", description.version);
  data.set("operations", indexRows(description));
  data.set("errors", allErrors(description));
  data.set("limits", allLimits(description));
  data.set("has_allocation", allocation.window != 0);
  data.set("per_transaction", std::to_string(allocation.readsPerTransaction));
  data.set("minimum", std::to_string(allocation.minimum));
  data.set("days", std::to_string(allocation.window / secondsPerDay));
  data.set("allocation_source", source(description, allocation.provenance));
  return templates.render("reference_index.md", data);
}

}  // namespace

void emitOperationReference(const model::Description& description, Templates& templates,
                            std::vector<File>& files) {
  files.push_back({"docs/reference/index.md", referenceIndex(description, templates)});
  for (const model::Resource& resource : description.resources) {
    files.push_back({"docs/reference/" + pageOf(resource), referencePage(description, resource, templates)});
    if (!resource.machine.states.empty())
      files.push_back(
          {"docs/reference/" + diagramOf(resource), stateDiagram(description, resource, templates)});
  }
}

}  // namespace tally::codegen::emit
