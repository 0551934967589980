#include "reports/report_comparison.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "json/json_writer.h"
#include "schema/field_path.h"

namespace tally::detail {

namespace {

using States = std::uint32_t;  // one bit per state

std::string jsonOf(ConstValueRef value) {
  std::string json;
  if (!value) return "null";
  writeJsonValue(json, value);
  return json;
}

ConstValueRef valueAt(std::string_view path, ConstObjectRef object) {
  return FieldPath{object.type(), path}.find(object);
}

std::string jsonAt(std::string_view path, ConstObjectRef object) {
  return jsonOf(valueAt(path, object));
}

bool shows(const Assignment& rule, ConstObjectRef object) {
  const std::string held = jsonAt(rule.target, object);
  return rule.source.empty() ? held == rule.constant : held == jsonAt(rule.source, object);
}

/// The states that the object matches. Unless it is exactly one, the object does not show its state.
States statesOf(const Resource& resource, ConstObjectRef object) {
  States states = 0;
  for (std::size_t i = 0; i < resource.machine->shows.size(); ++i)
    if (std::ranges::all_of(resource.machine->shows[i],
                            [&](const Assignment& rule) { return shows(rule, object); }))
      states |= States{1} << i;
  return states;
}

/// The states that transitions satisfying `which` lead to.
template <class Which>
States ends(const StateMachine& machine, const Which& which) {
  States states = 0;
  for (const Transition& transition : machine.transitions)
    if (which(transition)) states |= States{1} << transition.after;
  return states;
}

/// The states that an object in one of `states` can reach, including these.
States reachable(const StateMachine& machine, States states) {
  States known = 0;
  while (known != states) {
    known = states;
    states |= ends(machine, [&](const Transition& step) { return (step.before & known) != 0; });
  }
  return known;
}

bool isVisible(const MetadataEdit& edit, const Metadata& metadata) {
  if (edit.unsetsAll()) return metadata.empty();
  return std::ranges::all_of(edit.changes(), [&](const MetadataEdit::Change& change) {
    const auto found = metadata.find(change.key);
    return change.unset ? found == metadata.end() : found != metadata.end() && found->second == change.value;
  });
}

bool isVisible(ConstValueRef given, ConstValueRef held) {
  if (!given) return true;
  if (given.kind() != Kind::metadataEdit) return jsonOf(given) == jsonOf(held);
  static const Metadata none;
  return isVisible(given.as<MetadataEdit>(), held ? held.as<Metadata>() : none);
}

/// Whether the object has what the parameters set. Parameters without a field, such as the time of a report,
/// are not visible.
bool isVisible(ConstObjectRef params, ConstObjectRef object) {
  return std::ranges::all_of(params.type().fields, [&](const Field& param) {
    const Field* field = object.type().find(param.name);
    return field == nullptr || isVisible(params.given(param), object.value(*field));
  });
}

/// Whether all fields that reports set are equal in both.
bool lookAlike(const AnyOperation& report, ConstObjectRef object, ConstObjectRef other) {
  const auto same = [&](std::string_view path) { return jsonAt(path, object) == jsonAt(path, other); };
  return std::ranges::all_of(report.resource->machine->shows,
                             [&](std::span<const Assignment> marks) {
                               return std::ranges::all_of(marks, same, &Assignment::target);
                             }) &&
         std::ranges::all_of(report.params->fields, [&](const Field& param) {
           return object.type().find(param.name) == nullptr || same(param.name);
         });
}

/// Compares an object with a report.
class Comparison {
 public:
  Comparison(const AnyOperation& report, ConstObjectRef params, ConstObjectRef object, ConstObjectRef before)
      : machine_(*report.resource->machine),
        report_(report),
        shown_(statesOf(*report.resource, object)),
        visible_(isVisible(params, object)),
        unchanged_(before && lookAlike(report, object, before)) {}

  [[nodiscard]] ReportReading reading() const {
    const ReportStatus is = status();
    return {.status = is, .isFinal = tellsState() && allowed() == 0, .reason = reasonFor(is)};
  }

 private:
  [[nodiscard]] ReportStatus status() const {
    const States after = ends(machine_, [&](const Transition& step) { return step.trigger == &report_; });
    if ((shown_ & after) != 0 && visible_)
      return tellsState() ? ReportStatus::applied : ReportStatus::indeterminate;
    if (tellsState() && (shown_ & reachable(machine_, after)) == 0) return ReportStatus::notApplied;
    if (unchanged_) return ReportStatus::notApplied;
    return tellsState() ? ReportStatus::superseded : ReportStatus::indeterminate;
  }

  [[nodiscard]] NoResendReason reasonFor(ReportStatus is) const {
    if (is == ReportStatus::applied) return NoResendReason::applied;
    if (is == ReportStatus::indeterminate) return NoResendReason::indeterminate;
    if (isRefused()) return NoResendReason::refused;
    return is == ReportStatus::notApplied && (unchanged_ || untouched()) ? NoResendReason::checkOnly
                                                                         : NoResendReason::otherReport;
  }

  [[nodiscard]] bool tellsState() const { return std::has_single_bit(shown_); }

  /// The states that any report leads to from here.
  [[nodiscard]] States allowed() const {
    return ends(machine_, [&](const Transition& step) { return (step.before & shown_) != 0; });
  }

  /// No report leads to this state, so none has been applied.
  [[nodiscard]] bool untouched() const {
    return tellsState() && (shown_ & ends(machine_, [](const Transition&) { return true; })) == 0;
  }

  [[nodiscard]] bool isRefused() const {
    return tellsState() && ends(machine_, [&](const Transition& step) {
                             return step.trigger == &report_ && (step.before & shown_) != 0;
                           }) == 0;
  }

  const StateMachine& machine_;
  const AnyOperation& report_;
  States shown_;
  bool visible_;
  bool unchanged_;
};

}  // namespace

ReportReading compareReport(const AnyOperation& report, ConstObjectRef params, ConstObjectRef object,
                            ConstObjectRef before) {
  return Comparison{report, params, object, before}.reading();
}

std::string_view textIn(ConstObjectRef object, std::string_view path) {
  const ConstValueRef value = valueAt(path, object);
  return value ? std::string_view{value.text()} : std::string_view{};
}

std::string_view ownerOfStates(const Resource& resource, ConstObjectRef object) {
  return textIn(object, resource.machine->of);
}

}  // namespace tally::detail
