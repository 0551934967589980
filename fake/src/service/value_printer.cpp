#include <ostream>
#include <variant>

#include <tally/fake/service.h>

#include "print/value_line.h"

namespace tally::fake {

using tally::detail::ValueLine;

std::ostream& operator<<(std::ostream& out, const ServiceOptions& value) {
  return out << ValueLine{"ServiceOptions"}
                    .add("seed", value.seed)
                    .add("start", value.start)
                    .add("searchLag", value.searchLag)
                    .add("duration", value.duration)
                    .add("lockWait", value.lockWait)
                    .add("limits", value.limits)
                    .add("requestLog", value.requestLog)
                    .add("requestLogBytes", value.requestLogBytes)
                    .add("faultHeader", value.faultHeader);
}

std::ostream& operator<<(std::ostream& out, const StepRepetition& value) {
  return out << ValueLine{"StepRepetition"}.add("times", value.times).add("every", value.every);
}

std::ostream& operator<<(std::ostream& out, const ScriptStep& value) {
  ValueLine line{"ScriptStep"};
  line.add("at", value.at).add("duration", value.duration).add("times", value.times);
  if (value.repeat.times > 1) line.add("repeat", value.repeat);
  std::visit([&line](const auto& effect) { line.add("effect", effect); }, value.effect);
  return out << line;
}

std::ostream& operator<<(std::ostream& out, const FaultScript& value) {
  return out << ValueLine{"FaultScript"}
                    .add("name", value.name)
                    .add("description", value.description)
                    .add("seed", value.seed)
                    .add("steps", value.steps);
}

std::ostream& operator<<(std::ostream& out, const ScriptPart& value) {
  ValueLine line{"ScriptPart"};
  line.add("what", value.what).add("from", value.from);
  if (value.until != Instant::max()) line.add("until", value.until);
  if (value.fault != 0) line.add("fault", value.fault);
  return out << line.add("hits", value.hits);
}

std::ostream& operator<<(std::ostream& out, const PlayedScript& value) {
  return out << ValueLine{"PlayedScript"}
                    .add("id", value.id)
                    .add("name", value.name)
                    .add("seed", value.seed)
                    .add("started", value.started)
                    .add("parts", value.parts)
                    .add("nextAt", value.nextAt)
                    .add("next", value.next);
}

std::ostream& operator<<(std::ostream& out, const Account& value) {
  return out << ValueLine{"Account"}
                    .add("id", value.id)
                    .addSet("liveKey", !value.liveKey.empty())
                    .addSet("sandboxKey", !value.sandboxKey.empty());
}

std::ostream& operator<<(std::ostream& out, const AccountOptions& value) {
  return out << ValueLine{"AccountOptions"}.add("country", value.country).add("industry", value.industry);
}

std::ostream& operator<<(std::ostream& out, const StoredObject& value) {
  return out << ValueLine{"StoredObject"}
                    .add("resource", value.resource)
                    .add("id", value.id)
                    .add("state", value.state)
                    .add("created", value.created)
                    .addSize("json", value.json);
}

std::ostream& operator<<(std::ostream& out, const ObjectCount& value) {
  return out << ValueLine{"ObjectCount"}
                    .add("resource", value.resource)
                    .add("state", value.state)
                    .add("count", value.count);
}

std::ostream& operator<<(std::ostream& out, const ObjectFilter& value) {
  return out << ValueLine{"ObjectFilter"}
                    .add("resource", value.resource)
                    .add("state", value.state)
                    .add("text", value.text)
                    .add("limit", value.limit);
}

std::ostream& operator<<(std::ostream& out, const ObjectList& value) {
  return out << ValueLine{"ObjectList"}
                    .add("objects", value.objects)
                    .add("hasMore", value.hasMore)
                    .add("counts", value.counts);
}

std::ostream& operator<<(std::ostream& out, const AllocationPoint& value) {
  return out << ValueLine{"AllocationPoint"}
                    .add("time", value.time)
                    .add("used", value.used)
                    .add("allowed", value.allowed);
}

std::ostream& operator<<(std::ostream& out, const AllocationForecast& value) {
  return out << ValueLine{"AllocationForecast"}
                    .add("limit", value.limit)
                    .add("livemode", value.livemode)
                    .add("points", value.points);
}

std::ostream& operator<<(std::ostream& out, const ScheduledResult& value) {
  ValueLine line{"ScheduledResult"};
  std::visit([&line](const auto& result) { line.add("result", result); }, value.result);
  return out << line.add("due", value.due)
                    .addSet("clock", value.clock != nullptr)
                    .add("latency", value.latency)
                    .add("chunks", value.chunks)
                    .add("pause", value.pause)
                    .add("operation", value.operation)
                    .add("limit", value.limit)
                    .add("fault", value.fault);
}

std::ostream& operator<<(std::ostream& out, const VirtualClock::Reading& value) {
  return out << ValueLine{"Reading"}
                    .add("time", value.time)
                    .add("frozen", value.frozen)
                    .add("running", value.running);
}

std::ostream& operator<<(std::ostream& out, const Snapshot& value) {
  return out << ValueLine{"Snapshot"}.add("clock", value.clock());
}

}  // namespace tally::fake
