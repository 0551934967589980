#include <string_view>

#include "emit/text/docs_text.h"
#include "emit/text/emitters.h"

namespace tally::codegen::emit {

namespace {

std::string_view metricName(model::LimitMetric metric) {
  switch (metric) {
    case model::LimitMetric::changes:
      return "changes";
    case model::LimitMetric::inProgress:
      return "inProgress";
    case model::LimitMetric::requests:
      break;
  }
  return "requests";
}

std::string_view scopeName(model::LimitScope scope) {
  switch (scope) {
    case model::LimitScope::operation:
      return "operation";
    case model::LimitScope::object:
      return "object";
    case model::LimitScope::account:
      break;
  }
  return "account";
}

Lines operationNames(const model::Limit& limit) {
  Lines lines;
  for (const model::Operation* operation : limit.operations)
    lines.push_back("    " + literal(operation->name) + ',');
  return lines;
}

std::string seconds(std::int64_t count) {
  return "std::chrono::seconds{" + std::to_string(count) + '}';
}

void addNumber(Lines& lines, const std::string& member, const std::optional<std::int64_t>& number) {
  if (number) lines.push_back(assignment(4, member, {std::to_string(*number)}, ","));
}

Lines limitLines(const model::Limit& limit) {
  Lines lines{
      textAssignment(4, ".name", limit.name, ","),
      assignment(4, ".reason", {"RateLimitedReason::" + limit.reason}, ","),
      assignment(4, ".metric", {"LimitMetric::" + std::string{metricName(limit.metric)}}, ","),
      assignment(4, ".scope", {"LimitScope::" + std::string{scopeName(limit.scope)}}, ","),
  };
  if (!limit.operations.empty())
    lines.push_back(assignment(4, ".operations", {"detail::" + limit.cppName + "Operations"}, ","));
  if (!limit.given.empty()) lines.push_back(textAssignment(4, ".given", limit.given, ","));
  if (!limit.object.empty()) lines.push_back(textAssignment(4, ".object", limit.object, ","));
  if (limit.ofConnectedAccount) lines.push_back(assignment(4, ".ofConnectedAccount", {"true"}, ","));
  if (limit.besideEndpointRate) lines.push_back(assignment(4, ".besideEndpointRate", {"true"}, ","));
  addNumber(lines, ".live", limit.live);
  addNumber(lines, ".sandbox", limit.sandbox);
  if (limit.window != 0) lines.push_back(assignment(4, ".window", {seconds(limit.window)}, ","));
  return lines;
}

Data listsData(const model::Description& description) {
  Data list{Data::type::list};
  for (const model::Limit& limit : description.limits) {
    if (limit.operations.empty()) continue;
    Data data;
    data.set("constant", limit.cppName);
    data.set("rows", listOf(operationNames(limit)));
    list << data;
  }
  return list;
}

Data limitsData(const model::Description& description) {
  Data list{Data::type::list};
  for (const model::Limit& limit : description.limits) {
    Data data;
    data.set("constant", limit.cppName);
    data.set("doc", listOf(comment(description, 0, limit.description, limit.provenance)));
    data.set("lines", listOf(limitLines(limit)));
    list << data;
  }
  return list;
}

Lines pointers(const model::Description& description) {
  Lines lines;
  for (const model::Limit& limit : description.limits)
    lines.push_back("    &" + limit.cppName + ',');
  return lines;
}

Data allocationData(const model::Description& description) {
  const model::ReadAllocation& allocation = description.readAllocation;
  Data data;
  data.set("doc", listOf(comment(description, 0, "The number of reads that an account may make.",
                                 allocation.provenance)));
  data.set("lines",
           listOf({
               assignment(4, ".readsPerTransaction", {std::to_string(allocation.readsPerTransaction)}, ","),
               assignment(4, ".minimum", {std::to_string(allocation.minimum)}, ","),
               assignment(4, ".window", {seconds(allocation.window)}, ","),
           }));
  return data;
}

}  // namespace

void emitLimits(const model::Description& description, Templates& templates, std::vector<File>& files) {
  const Lines all = pointers(description);
  Data data;
  data.set("version", description.version);
  data.set("operationLists", listsData(description));
  data.set("limits", limitsData(description));
  data.set("some", !all.empty());
  data.set("all", listOf(all));
  data.set("allocation", allocationData(description));
  files.push_back({"sdk/generated/include/tally/limits.h", templates.render("limits.h", data)});
}

}  // namespace tally::codegen::emit
