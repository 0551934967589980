#include "emit/sdk/search_fields.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "emit/text/docs_text.h"
#include "model/names.h"

namespace tally::codegen::emit {

namespace {

using model::Field;
using model::Kind;

/// A searchable field, or an object that contains some.
struct Branch {
  const Field* field = nullptr;
  std::string path{};
  std::vector<Branch> parts{};
};

/// Adds the field at `path`, of which `from` characters lead to `type`.
void add(std::vector<Branch>& branches, const model::Struct& type, const std::string& path,
         std::size_t from = 0) {
  const std::size_t dot = std::min(path.find('.', from), path.size());
  const Field* field = type.find(std::string_view{path}.substr(from, dot - from));
  auto branch = std::ranges::find(branches, field, &Branch::field);
  if (branch == branches.end())
    branch = branches.insert(branch, {.field = field, .path = path.substr(0, dot)});
  if (dot < path.size()) add(branch->parts, *field->type.object, path, dot + 1);
}

std::string typeOf(const Branch& branch, const std::string& resource) {
  if (!branch.parts.empty()) return model::searchGroupType(branch.path);
  const auto of = [&](const std::string& name, const std::string& value = {}) {
    return "query::" + name + "Field<" + resource + (value.empty() ? ">" : ", " + value + '>');
  };
  switch (branch.field->type.kind) {
    case Kind::id:
      return of("Id", branch.field->type.tag->cppName);
    case Kind::openEnum:
      return of("Enum", branch.field->type.values->cppName);
    case Kind::integer:
      return of("Number");
    case Kind::boolean:
      return of("Boolean");
    case Kind::time:
      return of("Time");
    case Kind::metadata:
      return of("Metadata");
    default:
      return of("Text");
  }
}

/// Without names, since g++ then warns of the base class that has none.
std::string initializerOf(const Branch& branch) {
  if (branch.parts.empty()) return '{' + literal(branch.path) + '}';
  std::string parts = "{}";
  for (const Branch& part : branch.parts)
    parts += ", " + initializerOf(part);
  return '{' + parts + '}';
}

Data memberData(const Branch& branch, const std::string& resource) {
  return object({{"type", typeOf(branch, resource)},
                 {"name", branch.field->cppName},
                 {"initializer", initializerOf(branch)}});
}

Data membersData(const std::vector<Branch>& branches, const std::string& resource) {
  return listOf(branches, [&](const Branch& branch) { return memberData(branch, resource); });
}

/// The objects, each after its parts.
void addGroups(const std::vector<Branch>& branches, const std::string& resource, std::vector<Data>& groups) {
  for (const Branch& branch : branches) {
    if (branch.parts.empty()) continue;
    addGroups(branch.parts, resource, groups);
    groups.push_back(object({{"type", model::searchGroupType(branch.path)},
                             {"base", "query::FieldGroup<" + resource + '>'},
                             {"members", membersData(branch.parts, resource)}}));
  }
}

}  // namespace

std::string searchFieldName(const model::Struct& type, const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::string name = type.at(path)->cppName;
  return dot == std::string::npos ? name : searchFieldName(type, path.substr(0, dot)) + '.' + name;
}

Data searchFieldsData(const model::Resource& resource) {
  if (!resource.isSearched()) return Data{false};
  std::vector<Branch> branches;
  for (const std::string& path : resource.searchable)
    add(branches, *resource.model, path);
  std::vector<Data> groups;
  addGroups(branches, resource.model->cppName, groups);
  return object({{"type", resource.searchFieldsType()},
                 {"groups", listOf(groups, [](const Data& group) { return group; })},
                 {"members", membersData(branches, resource.model->cppName)}});
}

}  // namespace tally::codegen::emit
