#include <algorithm>
#include <string_view>

#include "model/build_steps.h"
#include "model/named.h"
#include "model/names.h"
#include "model/schema_facts.h"

namespace tally::codegen::model {

namespace {

constexpr std::string_view reasons = "RateLimitedReason";
constexpr std::int64_t longestWindow = 3'155'760'000;  // 100 years; clocks count nanoseconds

class Limits {
 public:
  Limits(const load::Documents& documents, Description& description, Problems& problems)
      : documents_(documents), description_(description), problems_(problems) {}

  void add(const Node& node) {
    Limit& limit = description_.limits.emplace_back();
    limit.name = node.text("name");
    limit.cppName = camelCase(limit.name);
    limit.description = node.text("description");
    limit.place = node.place();
    limit.provenance = provenanceOf(documents_, node);
    checkName(limit.name, limit.cppName, node["name"].place(), problems_);
    if (limit.cppName == "all" || limit.cppName == "readAllocation")
      problems_.add(node["name"], inQuotes(limit.cppName) + " is reserved for generated code",
                    "choose another name");
    limit.metric = named(limitMetrics, node["metric"], "value", problems_).value_or(LimitMetric::requests);
    limit.scope = named(limitScopes, node["per"], "value", problems_).value_or(LimitScope::account);
    limit.reason = reasonAt(node["reason"]);
    limit.countsForConnectedAccount = countsForConnectedAccount(limit, node);
    limit.addsToEndpointRate = node.flag("adds_to_endpoint_rate", false);
    addOperations(limit, node);
    addParameters(limit, node);
    addNumbers(limit, node);
    addWindow(limit, node);
    // No operations would mean all of them.
    if (node.has("kinds") && limit.operations.empty()) description_.limits.pop_back();
  }

  void addAllocation(const Node& node) {
    ReadAllocation& allocation = description_.readAllocation;
    allocation.readsPerTransaction = positive(node["reads_per_transaction"]).value_or(1);
    allocation.minimum = positive(node["minimum"]).value_or(1);
    allocation.window = windowAt(node["window"]).value_or(1);
    allocation.provenance = provenanceOf(documents_, node);
  }

 private:
  std::string reasonAt(const Node& node) {
    std::vector<std::string> known;
    for (const Enum& type : description_.enums)
      for (const EnumValue& value : type.values) {
        if (type.cppName != reasons) continue;
        if (value.text == node.text()) return value.cppName;
        known.push_back(value.text);
      }
    problems_.add(
        node, "unknown reason " + inQuotes(node.text()),
        known.empty() ? "add the schema rate_limited_reason to root.json" : "make it " + oneOf(known));
    return {};
  }

  /// An object belongs to the account that a request acts for, and its limits count all requests on it.
  bool countsForConnectedAccount(const Limit& limit, const Node& node) {
    constexpr std::string_view key = "counts_for_connected_account";
    if (limit.scope != LimitScope::object) return node.flag(key, false);
    if (node.has(key))
      problems_.add(node[key], "a limit per object counts all requests on the object", "remove it");
    return true;
  }

  void addOperations(Limit& limit, const Node& node) {
    for (const std::string_view key : {"operations", "kinds"})
      if (node.has(key) && node[key].size() == 0)
        problems_.add(node[key], "an empty list", "name some, or remove it: the limit then applies to all");
    node["operations"].elements([&](const Node& name) {
      const auto found = std::ranges::find(description_.operations, name.text(), &Operation::name);
      if (found != description_.operations.end()) return limit.operations.push_back(&*found);
      problems_.add(name, "unknown operation " + inQuotes(name.text()), "use an operationId");
    });
    node["kinds"].elements([&](const Node& name) {
      const auto kind = named(operationKinds, name, "value", problems_);
      for (const Operation& operation : description_.operations)
        if (operation.kind == kind) limit.operations.push_back(&operation);
    });
    if (node.has("operations") && node.has("kinds"))
      problems_.add(node, "both 'operations' and 'kinds'", "keep one of them");
    if (limit.metric == LimitMetric::changes)
      for (const Operation* operation : limit.operations)
        if (!operation->post)
          problems_.add(node["metric"], inQuotes(operation->name) + " makes no changes that could be counted",
                        R"(make it "requests", or name operations that write)");
  }

  void addParameters(Limit& limit, const Node& node) {
    limit.onlyWithParam = node.text("only_with_param");
    limit.object = node.text("object");
    for (const std::string_view key : {"only_with_param", "object"})
      for (const Operation* operation : limit.operations)
        if (node.has(key) &&
            (operation->params == nullptr || operation->params->find(node.text(key)) == nullptr))
          problems_.add(node[key],
                        inQuotes(operation->name) + " has no parameter " + inQuotes(node.text(key)),
                        "name a parameter that all operations of the limit have");
    if (limit.scope == LimitScope::object) checkObject(limit, node);
    const bool namedRate = !limit.operations.empty() && limit.metric != LimitMetric::inProgress;
    if (limit.addsToEndpointRate && !namedRate)
      problems_.add(node["adds_to_endpoint_rate"], "only for rate limits that name operations", "remove it");
    if ((node.has("only_with_param") || node.has("object")) && limit.operations.empty())
      problems_.add(node, "a parameter, but no operations", "name the operations that have it");
    if (node.has("object") && limit.scope != LimitScope::object)
      problems_.add(node["object"], "an object parameter on a limit that is not per object",
                    R"(set "per" to "object", or remove this)");
  }

  void checkObject(const Limit& limit, const Node& node) {
    if (limit.operations.empty())
      problems_.add(node, "a limit per object, but no operations", "name the operations on that object");
    for (const Operation* operation : limit.operations)
      if (limit.object.empty() && !operation->hasId())
        problems_.add(node, inQuotes(operation->name) + " has no identifier in its path",
                      R"(set "object" to the parameter that holds the identifier)");
    for (const Operation* operation : limit.operations)
      checkObject(*operation, node["object"]);
  }

  void checkObject(const Operation& operation, const Node& parameter) {
    if (!parameter || operation.params == nullptr) return;
    const Field* field = operation.params->find(parameter.text());
    if (field != nullptr && field->type.kind != Kind::id && field->type.kind != Kind::string)
      problems_.add(parameter,
                    inQuotes(field->name) + " of " + inQuotes(operation.name) +
                        " is neither an identifier nor a string",
                    "name a parameter that holds an identifier");
  }

  void addNumbers(Limit& limit, const Node& node) {
    const auto number = positive(node["number"]);
    limit.live = node.has("live") ? positive(node["live"]) : number;
    limit.sandbox = node.has("sandbox") ? positive(node["sandbox"]) : number;
    if (node.has("number") && (node.has("live") || node.has("sandbox")))
      problems_.add(node, "a number for both modes and one for a single mode", "keep one of the two");
  }

  void addWindow(Limit& limit, const Node& node) {
    limit.window = windowAt(node["window"]).value_or(0);
    const bool timeless = limit.metric == LimitMetric::inProgress;
    if (timeless == node.has("window"))
      problems_.add(node, timeless ? "a window on a concurrency limit" : "lacks a window",
                    timeless ? "remove it" : "add the number of seconds for which a request counts");
  }

  std::optional<std::int64_t> windowAt(const Node& node) {
    const auto seconds = positive(node);
    if (seconds && *seconds > longestWindow)
      problems_.add(node, "longer than 100 years", "make it " + std::to_string(longestWindow) + " or less");
    return seconds;
  }

  std::optional<std::int64_t> positive(const Node& node) {
    if (!node) return std::nullopt;
    const std::int64_t number = node.value().get_int64();
    if (number < 1) problems_.add(node, "not a positive number", "make it 1 or more");
    return number;
  }

  const load::Documents& documents_;
  Description& description_;
  Problems& problems_;
};

}  // namespace

void buildLimits(const load::Documents& documents, Description& description, Problems& problems) {
  Limits limits{documents, description, problems};
  for (const auto& [name, document] : documents)
    Node{document}["x-limits"].elements([&](const Node& node) { limits.add(node); });
  if (const Node allocation = Node{documents.at("root.json")}["x-read-allocation"])
    limits.addAllocation(allocation);
}

}  // namespace tally::codegen::model
