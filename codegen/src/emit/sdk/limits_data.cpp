#include "emit/sdk/limits_data.h"

#include "emit/text/docs_text.h"
#include "model/named.h"
#include "model/names.h"

namespace tally::codegen::emit {

namespace {

Data limitData(const model::Description& description, const model::Limit& limit) {
  return object(
      {{"doc", comment(description, limit.description, limit.provenance)},
       {"constant", limit.cppName},
       {"wireName", literal(limit.name)},
       {"reason", limit.reason},
       {"metric", model::camelCase(model::nameOf(model::limitMetrics, limit.metric))},
       {"scope", model::nameOf(model::limitScopes, limit.scope)},
       {"named", !limit.operations.empty()},
       {"operations",
        listOf(limit.operations, [](const model::Operation* operation) { return literal(operation->name); })},
       {"onlyWithParam", literal(limit.onlyWithParam)},
       {"object", literal(limit.object)},
       {"countsForConnectedAccount", limit.countsForConnectedAccount},
       {"addsToEndpointRate", limit.addsToEndpointRate},
       {"live", limit.live},
       {"sandbox", limit.sandbox},
       {"window", limit.window != 0 ? std::to_string(limit.window) : ""}});
}

}  // namespace

Data limitsData(const model::Description& description) {
  const model::ReadAllocation& allocation = description.readAllocation;
  return object({{"some", !description.limits.empty()},
                 {"limits", listOf(description.limits,
                                   [&](const model::Limit& limit) { return limitData(description, limit); })},
                 {"allocationDoc", comment(description, "The number of reads that an account may make.",
                                           allocation.provenance)},
                 {"readsPerTransaction", allocation.readsPerTransaction},
                 {"minimum", allocation.minimum},
                 {"window", allocation.window}});
}

}  // namespace tally::codegen::emit
