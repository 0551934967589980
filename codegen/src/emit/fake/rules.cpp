#include "emit/fake/rules.h"

#include "emit/sdk/state_machines.h"
#include "model/names.h"

namespace tally::codegen::emit {

namespace {

Lines quotedRows(const std::vector<std::string>& texts) {
  Lines lines;
  for (const std::string& text : texts)
    lines.push_back("    " + literal(text) + ',');
  return lines;
}

}  // namespace

std::string rulesConstant(const model::Resource& resource) {
  return model::camelCase(resource.tag->name) + "Rules";
}

Data rulesData(const model::Description& description, const model::Resource& resource) {
  Data data;
  data.set("version", description.version);
  data.set("constant", rulesConstant(resource));
  data.set("resource", resource.cppName);
  data.set("onCreate", table("onCreate", assignmentRows(resource.machine.onCreate)));
  data.set("freshIds", table("freshIds", quotedRows(resource.freshIds)));
  data.set("searchable", table("searchable", quotedRows(resource.searchable)));
  data.set("isTransaction", resource.isTransaction);
  data.set("isAccount", resource.isAccount);
  data.set("example", resource.example);
  return data;
}

}  // namespace tally::codegen::emit
