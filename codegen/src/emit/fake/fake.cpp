#include "emit/fake/fake.h"

#include <string>

#include "emit/sdk/resource_data.h"
#include "emit/text/docs_text.h"
#include "model/names.h"

namespace tally::codegen::emit {

namespace {

Data errorData(const model::ErrorResponse& error) {
  return object({{"constant", error.cppName},
                 {"wireName", literal(error.name)},
                 {"status", error.status},
                 {"type", literal(error.type)},
                 {"code", literal(error.code)},
                 {"message", literal(error.message)},
                 {"withoutRequestId", !error.requestId},
                 {"rateLimitedReason", error.rateLimitedReason}});
}

Data conventionsData(const model::Conventions& conventions) {
  return object({{"minimumLimit", conventions.minimumLimit},
                 {"maximumLimit", conventions.maximumLimit},
                 {"defaultLimit", conventions.defaultLimit},
                 {"totalCountCap", conventions.totalCountCap}});
}

/// An array, or false if it would be empty.
Data table(const Data& rows) {
  return rows.is_empty_list() ? Data{false} : object({{"rows", rows}});
}

/// The delimiter of a raw literal, which the text must not contain.
std::string delimiterFor(const std::string& text) {
  std::string delimiter = "json";
  for (int i = 1; text.find(')' + delimiter + '"') != std::string::npos; ++i)
    delimiter = "json" + std::to_string(i);
  return delimiter;
}

Data rulesData(const model::Resource& resource) {
  return object({{"constant", model::camelCase(resource.tag->name) + "Rules"},
                 {"resource", resource.cppName},
                 {"onCreate", table(assignmentsData(resource.machine.onCreate))},
                 {"freshIds", table(listOf(resource.freshIds, literal))},
                 {"searchable", table(listOf(resource.searchable, literal))},
                 {"isTransaction", resource.isTransaction},
                 {"isAccount", resource.isAccount},
                 {"example", resource.example},
                 {"delimiter", delimiterFor(resource.example)}});
}

/// Places are in arrays of their own. Keys of assumptions need not be names, so the arrays have numbers.
Data provenanceData(const model::Description& description) {
  std::vector<model::Section> sections = description.sections;
  std::erase_if(sections, [](const model::Section& section) { return section.places.empty(); });
  std::size_t assumptionNumber = 0;
  std::size_t sectionNumber = 0;
  return object({{"assumptions",
                  listOf(description.assumptions,
                         [&](const model::Assumption& assumption) {
                           return object({{"constant", "assumption" + std::to_string(++assumptionNumber)},
                                          {"wireKey", literal(assumption.key)},
                                          {"point", literal(assumption.point)},
                                          {"choice", literal(assumption.choice)},
                                          {"places", table(listOf(assumption.places, literal))}});
                         })},
                 {"hasAssumptions", !description.assumptions.empty()},
                 {"hasSections", !sections.empty()},
                 {"sections", listOf(sections, [&](const model::Section& section) {
                    return object({{"constant", "section" + std::to_string(++sectionNumber)},
                                   {"name", literal(section.name)},
                                   {"places", listOf(section.places, literal)}});
                  })}});
}

}  // namespace

void emitFake(const model::Description& description, Templates& templates, std::vector<File>& files) {
  std::vector<std::string> sources;
  const auto add = [&](const std::string& name, const std::string& text, const Data& data) {
    files.push_back({"fake/generated/" + name, templates.render(text, data)});
    if (name.ends_with(".cpp")) sources.push_back(name);
  };
  add("conventions.h", "conventions.h", conventionsData(description.conventions));
  const Data errors = object({{"errors", listOf(description.errors, errorData)}});
  add("errors.h", "errors.h", errors);
  add("errors.cpp", "errors.cpp", errors);
  add("provenance.cpp", "provenance.cpp", provenanceData(description));
  for (const model::Resource& resource : description.resources)
    add(resource.unit->stem + "_rules.cpp", "rules.cpp", rulesData(resource));
  for (const model::Resource& resource : description.resources)
    add("include/tally/testing/mock_" + resource.unit->stem + ".h", "mock_unit.h",
        resourceData(description, resource));
  add("resource_rules.cpp", "resource_rules.cpp",
      object({{"resources", listOf(description.resources, rulesData)}}));
  add("sources.cmake", "fake_sources.cmake", object({{"sources", sources}}));
}

}  // namespace tally::codegen::emit
