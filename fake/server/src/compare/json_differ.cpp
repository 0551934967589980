#include "compare/json_differ.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "observed/observation.h"

namespace tally::fake::detail {

namespace {

enum class JsonKind : std::uint8_t { null, boolean, number, string, array, object };

JsonKind kindOf(const JsonValue& value) {
  if (value.isNull()) return JsonKind::null;
  if (value.isBoolean()) return JsonKind::boolean;
  if (value.isNumber()) return JsonKind::number;
  if (value.isString()) return JsonKind::string;
  return value.isArray() ? JsonKind::array : JsonKind::object;
}

/// Whether the recorded number is not an integer, although the fake's number is one.
bool isFraction(const JsonValue& recorded, const JsonValue& fake) {
  return recorded.isNumber() && fake.integer() && !recorded.integer() && recorded.number() != fake.number();
}

bool isMap(const Field* field) {
  return field != nullptr && (field->type.kind == Kind::metadata || field->type.kind == Kind::rawJson);
}

class JsonDiffer {
 public:
  explicit JsonDiffer(const std::function<void(const ValueDifference&)>& report) : report_(report) {}

  void objects(const JsonValue& recorded, const JsonValue& fake, const Struct* model,
               const std::string& outer) {
    for (const auto& [name, value] : fake.members()) {
      const std::string key = name.string();
      const Place place = placeOf(model, key, outer);
      if (const auto other = memberOf(recorded, key)) {
        values(*other, value, place);
      } else {
        add(ValueChange::missing, place, {}, value.text());
      }
    }
    for (const auto& [name, value] : recorded.members()) {
      const std::string key = name.string();
      if (!memberOf(fake, key)) add(ValueChange::additional, placeOf(model, key, outer), value.text(), {});
    }
  }

 private:
  struct Place {
    std::string path{};
    const Struct* owner = nullptr;
    const Field* field = nullptr;
    std::string name{};
  };

  static Place placeOf(const Struct* model, const std::string& name, const std::string& outer) {
    return {.path = outer.empty() ? name : outer + '.' + name,
            .owner = model,
            .field = model == nullptr ? nullptr : model->find(name),
            .name = name};
  }

  void values(const JsonValue& recorded, const JsonValue& fake, const Place& place) {
    if (recorded.text() == fake.text() || (recorded.isString() && recorded.is(redacted))) return;
    const JsonKind theirs = kindOf(recorded);
    const JsonKind ours = kindOf(fake);
    if (theirs != ours || isFraction(recorded, fake)) {
      add(theirs == JsonKind::null ? ValueChange::null
          : ours == JsonKind::null ? ValueChange::notNull
                                   : ValueChange::type,
          place, recorded.text(), fake.text());
    } else if (ours == JsonKind::object && !isMap(place.field)) {
      objects(recorded, fake, place.field == nullptr ? nullptr : place.field->type.object, place.path);
    } else if (!areEqual(recorded, fake)) {
      add(ValueChange::value, place, recorded.text(), fake.text());
    }
  }

  static bool areEqual(const JsonValue& recorded, const JsonValue& fake) {
    if (recorded.text() == fake.text()) return true;
    if (kindOf(recorded) != kindOf(fake)) return false;
    switch (kindOf(fake)) {
      case JsonKind::string:
        return recorded.string() == fake.string();
      case JsonKind::number:
        return recorded.number() == fake.number() && !(recorded.integer() && fake.integer());
      case JsonKind::array:
        return areEqualArrays(recorded, fake);
      case JsonKind::object:
        return areEqualMaps(recorded, fake);
      default:
        return false;
    }
  }

  static bool areEqualArrays(const JsonValue& recorded, const JsonValue& fake) {
    auto theirs = recorded.elements().begin();
    const auto theirEnd = recorded.elements().end();
    for (const JsonValue& value : fake.elements()) {
      if (theirs == theirEnd || !areEqual(*theirs, value)) return false;
      ++theirs;
    }
    return theirs == theirEnd;
  }

  static bool areEqualMaps(const JsonValue& recorded, const JsonValue& fake) {
    std::size_t count = 0;
    for (const auto& [name, value] : fake.members()) {
      const auto other = memberOf(recorded, name.string());
      if (!other || !areEqual(*other, value)) return false;
      ++count;
    }
    for (const auto& member : recorded.members()) {
      (void)member;
      if (count == 0) return false;
      --count;
    }
    return count == 0;
  }

  void add(ValueChange change, const Place& place, std::string_view recorded, std::string_view fake) {
    report_({.change = change,
             .path = place.path,
             .owner = place.owner == nullptr ? std::string{} : std::string{place.owner->name},
             .field = place.name,
             .recorded = std::string{recorded},
             .fake = std::string{fake}});
  }

  const std::function<void(const ValueDifference&)>& report_;
};

}  // namespace

std::string_view toString(ValueChange change) noexcept {
  static constexpr std::array<std::string_view, 6> names{"missing",  "additional", "null",
                                                         "not_null", "type",       "value"};
  return names[static_cast<std::size_t>(change)];
}

void compareJson(const JsonValue& recorded, const JsonValue& fake, const Struct* model,
                 const std::function<void(const ValueDifference&)>& report) {
  JsonDiffer{report}.objects(recorded, fake, model, {});
}

}  // namespace tally::fake::detail
