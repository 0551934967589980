#include "emit/docs/docs.h"

#include "emit/docs/markdown.h"
#include "emit/docs/operation_reference.h"
#include "emit/docs/state_diagram.h"

namespace tally::codegen::emit {

namespace {

Data assumptionsData(const model::Description& description) {
  std::vector<model::Section> sections = description.sections;
  std::erase_if(sections, [](const model::Section& section) { return section.places.empty(); });
  return object({{"assumptions", listOf(description.assumptions,
                                        [](const model::Assumption& assumption) {
                                          return object({{"point", assumption.point},
                                                         {"choice", assumption.choice},
                                                         {"reason", assumption.reason},
                                                         {"setting", assumption.setting},
                                                         {"places", joined(assumption.places)}});
                                        })},
                 {"sections", listOf(sections, [](const model::Section& section) {
                    return object({{"name", cell(section.name)}, {"places", cell(joined(section.places))}});
                  })}});
}

}  // namespace

void emitDocs(const model::Description& description, Templates& templates, std::vector<File>& files) {
  const auto add = [&](const std::string& path, const std::string& name, const Data& data) {
    files.push_back({"docs/" + path, templates.render(name, data)});
  };
  add("reference/assumptions.md", "assumptions.md", assumptionsData(description));
  add("reference/index.md", "reference_index.md", referenceIndexData(description));
  for (const model::Resource& resource : description.resources) {
    add("reference/" + resource.plural + ".md", "reference.md", referenceData(description, resource));
    if (!resource.machine.states.empty())
      add("reference/" + resource.plural + "_states.svg", "states.svg", stateDiagramData(resource));
  }
}

}  // namespace tally::codegen::emit
