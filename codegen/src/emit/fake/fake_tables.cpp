#include <string_view>

#include "emit/fake/rules.h"
#include "emit/text/emitters.h"

namespace tally::codegen::emit {

namespace {

Lines errorLines(const model::ErrorResponse& error) {
  Lines lines{
      textAssignment(4, ".name", error.name, ","),
      assignment(4, ".status", {std::to_string(error.status)}, ","),
      textAssignment(4, ".type", error.type, ","),
      textAssignment(4, ".code", error.code, ","),
      textAssignment(4, ".message", error.message, ","),
  };
  if (!error.requestId) lines.push_back(assignment(4, ".requestId", {"false"}, ","));
  if (error.rateLimitedReason) lines.push_back(assignment(4, ".rateLimitedReason", {"true"}, ","));
  return lines;
}

Data errorsData(const model::Description& description) {
  Data list{Data::type::list};
  for (const model::ErrorResponse& error : description.errors) {
    Data data;
    data.set("constant", error.cppName);
    data.set("lines", listOf(errorLines(error)));
    list << data;
  }
  Data data;
  data.set("version", description.version);
  data.set("errors", list);
  return data;
}

Data conventionsData(const model::Description& description) {
  const model::Conventions& conventions = description.conventions;
  Data data;
  data.set("version", description.version);
  data.set("minimumLimit", std::to_string(conventions.minimumLimit));
  data.set("maximumLimit", std::to_string(conventions.maximumLimit));
  data.set("defaultLimit", std::to_string(conventions.defaultLimit));
  data.set("totalCountCap", std::to_string(conventions.totalCountCap));
  return data;
}

Data resourceRulesData(const model::Description& description) {
  Lines constants;
  for (const model::Resource& resource : description.resources)
    constants.push_back(rulesConstant(resource));
  Data data;
  data.set("version", description.version);
  data.set("rules", listOf(constants));
  return data;
}

}  // namespace

void emitFakeTables(const model::Description& description, Templates& templates, std::vector<File>& files) {
  const std::string folder = "fake/generated/";
  Lines sources;
  const auto add = [&](const std::string& name, const std::string& text, const Data& data) {
    files.push_back({folder + name, templates.render(text, data)});
    if (name.ends_with(".cpp")) sources.push_back(name);
  };
  add("conventions.h", "conventions.h", conventionsData(description));
  add("errors.h", "errors.h", errorsData(description));
  add("errors.cpp", "errors.cpp", errorsData(description));
  for (const model::Resource& resource : description.resources)
    add(resource.unit->stem + "_rules.cpp", "rules.cpp", rulesData(description, resource));
  add("resource_rules.cpp", "resource_rules.cpp", resourceRulesData(description));
  Data data;
  data.set("version", description.version);
  data.set("sources", listOf(sources));
  add("sources.cmake", "fake_sources.cmake", data);
}

}  // namespace tally::codegen::emit
