#include <algorithm>
#include <set>
#include <string>

#include "model/build_steps.h"

namespace tally::codegen::model {

namespace {

const Unit* unitOf(const Type& type) {
  if (type.kind == Kind::list) return unitOf(type.element.front());
  if (type.kind == Kind::object) return type.object->unit;
  return type.kind == Kind::openEnum ? type.values->unit : nullptr;
}

class IncludeCheck {
 public:
  explicit IncludeCheck(Problems& problems) : problems_(problems) {}

  void visit(const Unit& unit) {
    if (done_.contains(&unit)) return;
    if (const auto found = std::find(open_.begin(), open_.end(), &unit); found != open_.end())
      return report(found);
    open_.push_back(&unit);
    for (const Struct* type : unit.structs)
      for (const Field& field : type->fields)
        if (const Unit* other = unitOf(field.type); other != nullptr && other != &unit) visit(*other);
    open_.pop_back();
    done_.insert(&unit);
  }

 private:
  void report(std::vector<const Unit*>::const_iterator first) {
    std::vector<std::string> names;
    for (auto unit = first; unit != open_.end(); ++unit)
      names.push_back((*unit)->stem + ".h");
    names.push_back(names.front());
    problems_.add((*first)->place, "headers include each other: " + joined(names),
                  "move what they share to root.json");
  }

  Problems& problems_;
  std::vector<const Unit*> open_{};
  std::set<const Unit*> done_{};
};

}  // namespace

void checkIncludes(const Description& description, Problems& problems) {
  IncludeCheck check{problems};
  for (const Unit& unit : description.units)
    check.visit(unit);
}

}  // namespace tally::codegen::model
