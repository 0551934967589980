#include "tables/assignments.h"

#include <stdexcept>
#include <string>

#include "json/json_reader.h"
#include "tables/object_merge.h"

namespace tally::fake::detail {

namespace {

/// Turns `a.b` and `1` into `{"a":{"b":1}}`.
std::string nested(std::string_view path, std::string_view constant) {
  const std::size_t dot = path.find('.');
  const std::string value =
      dot == std::string_view::npos ? std::string{constant} : nested(path.substr(dot + 1), constant);
  return "{\"" + std::string{path.substr(0, dot)} + "\":" + value + "}";
}

}  // namespace

Assignments::Assignments(const Struct& model, std::span<const Assignment> rules)
    : model_(model), constants_(model) {
  for (const Assignment& rule : rules) {
    const bool constant = rule.source.empty();
    const FieldPath target{model, rule.target};
    assignments_.push_back(
        {rule.target, target, constant ? target : FieldPath{model, rule.source}, constant});
    if (!constant) continue;
    if (const auto problem = tally::detail::mergeJson(nested(rule.target, rule.constant), constants_.ref()))
      throw std::logic_error{"the API description has an invalid assignment: " + *problem};
  }
}

void Assignments::apply(ObjectRef object) const {
  apply(object, [](std::string_view) { return false; });
}

void Assignments::clear(ObjectRef object) const {
  const AnyObject blank{model_};
  for (const ResolvedAssignment& assignment : assignments_)
    copyField(assignment.target.field(), assignment.target.holder(blank.ref()), assignment.target.field(),
              assignment.target.makeHolder(object));
}

void Assignments::apply(ObjectRef object, const std::function<bool(std::string_view)>& isKept) const {
  for (const ResolvedAssignment& assignment : assignments_) {
    if (isKept(assignment.path)) continue;
    const ConstObjectRef from = assignment.constant ? constants_.ref() : object;
    copyField(assignment.source.field(), assignment.source.holder(from), assignment.target.field(),
              assignment.target.makeHolder(object));
  }
}

}  // namespace tally::fake::detail
