#include <functional>
#include <map>

#include "model/build_steps.h"
#include "model/names.h"

namespace tally::codegen::model {

namespace {

/// The names in one scope, with the place that defines each.
class Scope {
 public:
  Scope(std::string what, Problems& problems, std::string source = "generated from")
      : what_(std::move(what)), source_(std::move(source)), problems_(problems) {}

  /// Whether the name is new.
  bool add(const std::string& cppName, const Place& place) {
    const auto [other, isNew] = holders_.emplace(cppName, place);
    if (!isNew)
      problems_.add(place,
                    what_ + ' ' + inQuotes(cppName) + " is also " + source_ + ' ' + other->second.str(),
                    "rename one of the two");
    return isNew;
  }

 private:
  std::string what_;
  std::string source_;
  Problems& problems_;
  std::map<std::string, Place> holders_{};
};

/// By which a Report names an operation.
std::string outcomeOf(const Operation& report) {
  constexpr std::string_view prefix = "report_";
  const std::string method = report.name.substr(report.name.find('.') + 1);
  return method.starts_with(prefix) ? method.substr(prefix.size()) : method;
}

class NameCheck {
 public:
  NameCheck(const Description& description, Problems& problems)
      : description_(description), problems_(problems) {}

  void run() {
    checkFiles();
    checkTypes();
    checkConstants();
    for (const Struct& type : description_.structs)
      checkFields(type);
    for (const Enum& type : description_.enums)
      checkValues(type);
    for (const Resource& resource : description_.resources)
      checkMethods(resource);
    checkPrefixes();
  }

 private:
  void taken(const Place& place, const std::string& name) {
    problems_.add(place, inQuotes(name) + " is reserved for the client", "choose another name");
  }

  void addFile(Scope& scope, const std::string& stem, const Place& place) {
    if (isTakenAsFile(stem)) return taken(place, stem + ".h");
    scope.add(stem + ".h", place);
  }

  void checkFiles() {
    Scope scope{"the header", problems_};
    for (const Unit& unit : description_.units)
      addFile(scope, unit.stem, unit.place);
    for (const Resource& resource : description_.resources)
      addFile(scope, "async_" + resource.unit->stem, resource.place);
  }

  /// Whether the name is free.
  bool addType(Scope& scope, const std::string& name, const Place& place) {
    if (!isTakenInNamespace(name)) return scope.add(name, place);
    taken(place, name);
    return false;
  }

  /// A type and its counterpart; one problem if both have a namesake.
  void addTypes(Scope& scope, const std::string& name, const std::string& other, const Place& place) {
    if (addType(scope, name, place)) addType(scope, other, place);
  }

  void checkTypes() {
    Scope scope{"the type", problems_};
    for (const Struct& type : description_.structs) {
      if (type.borrowable) {
        addTypes(scope, type.cppName, basicName(type.cppName), type.place);
      } else {
        addType(scope, type.cppName, type.place);
      }
    }
    for (const Enum& type : description_.enums)
      addType(scope, type.cppName, type.place);
    for (const Tag& tag : description_.tags)
      if (tag.opaque) addType(scope, tag.cppName, {tag.file, "/components/schemas/" + tag.name});
    for (const Resource& resource : description_.resources) {
      addTypes(scope, resource.service, resource.asyncService(), resource.place);
      if (resource.checksReports())
        addTypes(scope, resource.reportType(), basicName(resource.reportType()), resource.place);
      if (resource.isSearched()) addType(scope, resource.searchFieldsType(), resource.place);
    }
  }

  template <class Items, class Name>
  void checkUnique(const char* what, const Items& items, Name name) {
    Scope scope{what, problems_};
    for (const auto& item : items)
      scope.add(std::invoke(name, item), item.place);
  }

  void checkConstants() {
    checkUnique("the operation", description_.operations, &Operation::cppName);
    checkUnique("the path", description_.operations, [](const Operation& operation) {
      return (operation.post ? "POST " : "GET ") + operation.path;
    });
    checkUnique("the error", description_.errors, &ErrorResponse::cppName);
    checkUnique("the limit", description_.limits, &Limit::cppName);
    checkCodes();
    for (const Resource& resource : description_.resources)
      for (const Operation& operation : description_.operations)
        if (operation.cppName == resource.cppName || operation.cppName == resource.states)
          problems_.add(operation.place, inQuotes(operation.cppName) + " is reserved for generated code",
                        "choose another name");
  }

  // Errors may share a code, but two codes may not share a constant.
  void checkCodes() {
    std::map<std::string, const ErrorResponse*> codes;
    for (const ErrorResponse& error : description_.errors) {
      const auto [other, isNew] = codes.emplace(camelCase(error.code), &error);
      if (!isNew && other->second->code != error.code)
        problems_.add({error.place.file, error.place.pointer + "/code"},
                      "the error code " + inQuotes(other->first) + " is also generated from " +
                          inQuotes(other->second->code),
                      "rename one of the two");
    }
  }

  void checkFields(const Struct& type) {
    constexpr std::size_t most = 64;  // one bit each, see sdk/src/schema/schema.h
    if (type.fields.size() > most)
      problems_.add(type.place, "more than 64 fields", "group some of them into objects");
    Scope scope{"the field", problems_};
    for (const Field& field : type.fields) {
      checkName(field.name, field.cppName, field.place, problems_);
      scope.add(field.cppName, field.place);
    }
  }

  void checkValues(const Enum& type) {
    if (type.values.empty())
      problems_.add(type.place, "an empty list of values", "add the documented values");
    if (type.values.size() > 256) problems_.add(type.place, "more than 256 values", "make it a plain string");
    Scope scope{"the value", problems_};
    for (const EnumValue& value : type.values)
      scope.add(value.cppName, type.place);
  }

  void checkMethods(const Resource& resource) {
    checkName(resource.plural, resource.accessor, resource.place, problems_);
    checkName(resource.tag->name, resource.tag->cppName, resource.place, problems_);
    for (const Operation* operation : resource.operations)
      if (isTakenInService(operation->method)) taken(operation->place, operation->method);
    if (isTakenInClient(resource.accessor)) taken(resource.place, resource.accessor);
    checkOutcomes(resource);
    if (resource.isSearched()) checkGroups(resource);
  }

  /// A Report names the resource by the prefix of an identifier.
  void checkPrefixes() {
    Scope scope{"the prefix", problems_, "that of"};
    for (const Resource& resource : description_.resources)
      if (!resource.reports().empty()) scope.add(resource.tag->idPrefix, resource.place);
  }

  void checkOutcomes(const Resource& resource) {
    Scope scope{"the outcome", problems_, "that of"};
    for (const Operation* report : resource.reports())
      scope.add(outcomeOf(*report), report->place);
  }

  /// The objects with searchable fields become structs within one.
  void checkGroups(const Resource& resource) {
    std::map<std::string, std::string> paths{{resource.searchFieldsType(), {}}};
    for (const std::string& path : resource.searchable)
      for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
        const std::string group = path.substr(0, dot);
        const std::string name = searchGroupType(group);
        if (paths.emplace(name, group).first->second != group)
          problems_.add(resource.place,
                        "the struct " + inQuotes(name) + " for the searchable fields in " + inQuotes(group) +
                            " is also generated for others",
                        "rename that field");
      }
  }

  const Description& description_;
  Problems& problems_;
};

}  // namespace

void checkNames(const Description& description, Problems& problems) {
  NameCheck{description, problems}.run();
}

}  // namespace tally::codegen::model
