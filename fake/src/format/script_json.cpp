#include "format/script_json.h"

#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "format/rule_json.h"
#include "text/readable.h"

namespace tally::fake::detail {

namespace json = boost::json;

void members(Members& m, StepRepetition& repetition) {
  m.required("times", repetition.times, NumberFrom<1>{});
  m.required("every_ms", repetition.every, Milliseconds{});
}

namespace {

/// What faults and limits have in common.
void timeMembers(Members& m, ScriptStep& step) {
  m.usual("at_ms", step.at, Milliseconds{});
  m.optional("for_ms", step.duration, Milliseconds{});
  m.usual("repeat", step.repeat, Nested<>{});
}

ScriptStep readStep(JsonInput& input) {
  ScriptStep step;
  Members m{input};
  timeMembers(m, step);
  if (input.text("limit")) {
    members(m, step.effect.emplace<LimitOverride>());
  } else {
    m.optional("times", step.times, Times{});
    timelessMembers(m, std::get<FaultRule>(step.effect));
  }
  input.finish();
  return step;
}

json::object written(ScriptStep step) {
  Members m;
  timeMembers(m, step);
  if (auto* limit = std::get_if<LimitOverride>(&step.effect)) {
    members(m, *limit);
  } else {
    m.optional("times", step.times, Times{});
    timelessMembers(m, std::get<FaultRule>(step.effect));
  }
  return std::move(m).written();
}

/// Without what readStep() assumes.
json::object brief(const ScriptStep& step) {
  static const json::object assumed = written({});
  json::object kept;
  for (const auto& [name, value] : written(step)) {
    const json::value* const usual = assumed.if_contains(name);
    if (usual == nullptr || *usual != value || name == "at_ms") kept[name] = value;
  }
  return kept;
}

}  // namespace

FaultScript readScript(JsonInput& input) {
  FaultScript script{.name = input.text("name").value_or(""),
                     .description = input.text("description").value_or(""),
                     .seed = input.unsignedInteger("seed")};
  const bool hasSteps = input.has("steps");
  const std::vector<JsonInput> steps = input.objects("steps");
  input.finish();
  if (hasSteps && steps.empty()) input.fail("steps", "a fault script needs at least one");
  if (!hasSteps) {
    if (script.name.empty()) input.fail("steps", "missing; add them, or name a ready-made script");
    at(input, [&] {
      FaultScript named = FaultScript::named(script.name);
      named.seed = script.seed;
      script = std::move(named);
    });
  }
  for (JsonInput step : steps)
    script.steps.push_back(readStep(step));
  return script;
}

}  // namespace tally::fake::detail

namespace tally::fake {

FaultScript FaultScript::parse(std::string_view json) {
  const detail::JsonDocument parsed = detail::parseInput(json);
  detail::JsonInput input{parsed};
  return detail::readScript(input);
}

std::string FaultScript::toJson() const {
  boost::json::object head{{"name", name}};
  if (!description.empty()) head["description"] = description;
  if (seed) head["seed"] = *seed;
  std::string text{"{"};
  for (const auto& [member, value] : head)
    text += "\n  " + boost::json::serialize(member) + ": " + boost::json::serialize(value) + ',';
  text += "\n  \"steps\": [";
  for (const ScriptStep& step : steps) {
    text += text.ends_with('[') ? "\n    " : ",\n    ";
    text += boost::json::serialize(detail::brief(step));
  }
  return text += "\n  ]\n}\n";
}

}  // namespace tally::fake
