#include "emit/text/emitters.h"

namespace tally::codegen::emit {

namespace {

std::string joined(const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts)
    result += (result.empty() ? "" : ", ") + text;
  return result;
}

Data textOrNothing(const std::string& text) {
  return text.empty() ? Data{false} : Data{text};
}

Data assumptions(const model::Description& description) {
  Data list{Data::type::list};
  for (const model::Assumption& assumption : description.assumptions) {
    Data data;
    data.set("point", assumption.point);
    data.set("choice", assumption.choice);
    data.set("reason", assumption.reason);
    data.set("setting", textOrNothing(assumption.setting));
    data.set("places", textOrNothing(joined(assumption.places)));
    list << data;
  }
  return list;
}

Data sections(const model::Description& description) {
  Data list{Data::type::list};
  for (const model::Section& section : description.sections) {
    if (section.places.empty()) continue;
    Data data;
    data.set("name", section.name);
    data.set("places", joined(section.places));
    list << data;
  }
  return list;
}

}  // namespace

void emitDocs(const model::Description& description, Templates& templates, std::vector<File>& files) {
  Data data;
  data.set("version", description.version);
  data.set("assumptions", assumptions(description));
  data.set("sections", sections(description));
  files.push_back({"docs/assumptions.md", templates.render("assumptions.md", data)});
}

}  // namespace tally::codegen::emit
