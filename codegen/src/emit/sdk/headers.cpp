#include <algorithm>
#include <set>

#include "emit/sdk/cpp_types.h"
#include "emit/sdk/methods.h"
#include "emit/sdk/printers.h"
#include "emit/sdk/report_checks.h"
#include "emit/sdk/report_methods.h"
#include "emit/text/docs_text.h"
#include "emit/text/emitters.h"
#include "model/names.h"

namespace tally::codegen::emit {

namespace {

using model::Kind;

class UnitHeader {
 public:
  explicit UnitHeader(const model::Description& description) : description_(description) {}

  Data data(const model::Unit& unit, const model::Resource* resource) {
    Data result;
    result.set("version", description_.version);
    result.set("includes", listOf(includes(unit, resource)));
    result.set("tags", tags(unit));
    result.set("foreign", listOf(foreign(unit, resource)));
    result.set("enums", enums(unit));
    result.set("structs", structs(unit));
    result.set("service", resource ? service(*resource) : Data{false});
    result.set("reportMethods", resource ? reportMethodDeclarations(*resource, Form::blocking) : Data{false});
    result.set("reportCheck", resource ? reportCheckDeclarations(*resource, Form::blocking) : Data{false});
    return result;
  }

 private:
  static Lines includes(const model::Unit& unit, const model::Resource* resource) {
    Includes includes;
    if (!unit.structs.empty()) includes.standard("iosfwd");
    for (const model::Struct* type : unit.structs)
      for (const model::Field& field : type->fields)
        includes.addMember(field, *type);
    if (!unit.enums.empty()) {
      includes.standard("cstdint");
      includes.standard("string_view");
      includes.tally("open_enum");
    }
    if (resource != nullptr) includeService(*resource, includes);
    return includes.lines();
  }

  static void includeService(const model::Resource& resource, Includes& includes) {
    for (const char* name : {"memory", "utility"})
      includes.standard(name);
    for (const char* stem : {"json", "last_response", "options"})
      includes.tally(stem);
    for (const model::Operation* operation : resource.operations)
      includes.tally(operation->pages() ? "pager" : "result");
    if (!resource.reports().empty()) includes.tally("report");
    if (!resource.checksReports()) return;
    includes.standard("variant");
    includes.tally("report_check");
  }

  Data tags(const model::Unit& unit) const {
    Data list{Data::type::list};
    for (const model::Tag* tag : unit.tags) {
      Data data;
      data.set("name", tag->cppName);
      data.set("doc", listOf(comment(description_, 0, tag->description, {})));
      list << data;
    }
    return list;
  }

  // Every header declares the types of its identifiers, so that it does not include the header of another
  // resource.
  static Lines foreign(const model::Unit& unit, const model::Resource* resource) {
    std::set<const model::Tag*> known{unit.tags.begin(), unit.tags.end()};
    std::set<std::string> names;
    for (const model::Struct* type : unit.structs) {
      if (resource != nullptr && type == resource->model) known.insert(resource->tag);
      for (const model::Field& field : type->fields)
        if (const model::Tag* tag = tagOf(field.type); tag != nullptr && !known.contains(tag))
          names.insert(tag->cppName);
    }
    Lines lines;
    for (const std::string& name : names)
      lines.push_back("struct " + name + ';');
    if (!lines.empty()) lines.emplace_back();
    return lines;
  }

  static const model::Tag* tagOf(const model::Type& type) {
    return type.kind == Kind::list ? tagOf(type.element.front()) : type.tag;
  }

  Data enums(const model::Unit& unit) const {
    Data list{Data::type::list};
    for (const model::Enum* type : unit.enums) {
      std::vector<Remarked> values;
      std::vector<Remarked> texts;
      for (const model::EnumValue& value : type->values) {
        values.push_back({value.cppName + ',', value.description});
        texts.push_back({literal(value.text) + ',', value.cppName});
      }
      Data data;
      data.set("name", type->cppName);
      data.set("doc", listOf(comment(description_, 0, type->description, type->provenance)));
      data.set("values", listOf(remarked(2, values)));
      data.set("texts", listOf(annotated(6, texts)));
      list << data;
    }
    return list;
  }

  Data structs(const model::Unit& unit) const {
    Data list{Data::type::list};
    for (const model::Struct* type : unit.structs) {
      Data data;
      data.set("name", type->cppName);
      data.set("doc", listOf(structComment(*type)));
      data.set("object", objectOf(*type));
      data.set("members", listOf(members(*type)));
      data.set("comparable", type->role != model::Role::params);
      data.set("printer", printerDeclaration(type->cppName));
      list << data;
    }
    return list;
  }

  Lines structComment(const model::Struct& type) const {
    if (type.role == model::Role::params) return wrapped(4, "Parameters of " + type.description + '.');
    return comment(description_, 0, type.description, type.provenance);
  }

  static Data objectOf(const model::Struct& type) {
    const model::Field* object = type.find("object");
    if (object == nullptr || object->type.kind != Kind::constant) return Data{false};
    return Data{object->constant};
  }

  static Lines members(const model::Struct& type) {
    std::vector<Remarked> lines;
    for (const model::Field& field : type.fields)
      if (field.type.kind != Kind::constant)
        lines.push_back({memberType(field, type) + ' ' + field.cppName + "{};", remark(field, type)});
    if (type.role == model::Role::resource) {
      lines.push_back({"UnknownFields unknownFields{};", "Other fields that the service sent."});
      lines.push_back({"LastResponse lastResponse{};", "Of the call that returned the object."});
    }
    return remarked(2, lines);
  }

  Data service(const model::Resource& resource) const {
    Data data;
    data.set("name", resource.service);
    data.set("accessor", resource.accessor);
    data.set("doc", listOf(wrapped(4, resource.description)));
    data.set("constructor", constructorOf(resource, Form::blocking));
    Data methodList{Data::type::list};
    for (const model::Operation* operation : resource.operations) {
      Data method;
      method.set("doc", listOf(comment(description_, 2, operation->summary, operation->provenance)));
      method.set("declaration", declaration(resource, *operation, Form::blocking));
      methodList << method;
    }
    data.set("methods", methodList);
    return data;
  }

  const model::Description& description_;
};

Data servicesData(const model::Description& description) {
  Includes includes;
  includes.standard("memory");
  includes.standard("utility");
  Data accessors{Data::type::list};
  for (const model::Resource& resource : description.resources) {
    includes.tally(resource.unit->stem);
    accessors << Data{accessorOf(resource, Form::blocking)};
  }
  Data result;
  result.set("version", description.version);
  result.set("includes", listOf(includes.lines()));
  result.set("accessors", accessors);
  return result;
}

Data errorCodesData(const model::Description& description) {
  Lines lines;
  std::set<std::string> known;
  for (const model::ErrorResponse& error : description.errors)
    if (known.insert(error.code).second)
      lines.push_back(textAssignment(0, "inline constexpr std::string_view " + model::camelCase(error.code),
                                     error.code, ";"));
  Data result;
  result.set("version", description.version);
  result.set("lines", listOf(lines));
  return result;
}

}  // namespace

void emitHeaders(const model::Description& description, Templates& templates, std::vector<File>& files) {
  const std::string folder = "sdk/generated/include/tally/";
  UnitHeader header{description};
  for (const model::Unit& unit : description.units) {
    const auto owner = std::find_if(description.resources.begin(), description.resources.end(),
                                    [&](const model::Resource& resource) { return resource.unit == &unit; });
    const Data data = header.data(unit, owner == description.resources.end() ? nullptr : &*owner);
    files.push_back({folder + unit.stem + ".h", templates.render("unit.h", data)});
  }
  files.push_back({folder + "services.h", templates.render("services.h", servicesData(description))});
  files.push_back({folder + "error_codes.h", templates.render("error_codes.h", errorCodesData(description))});
}

}  // namespace tally::codegen::emit
