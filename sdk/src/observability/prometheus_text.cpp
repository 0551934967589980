#include <ostream>
#include <string>
#include <string_view>

#include <tally/metrics_observer.h>

#include "observability/metric_samples.h"
#include "observability/metrics_table.h"

namespace tally::detail {

namespace {

void calls(Samples& samples, const OperationMetrics& counters) {
  std::int64_t failed = 0;
  for (const auto& effects : counters.callErrors)
    for (const Count& count : effects)
      failed += read(count);
  samples.count(read(counters.callsThatWentWell), {{"outcome", "ok"}});
  samples.count(failed, {{"outcome", "error"}});
}

void callErrors(Samples& samples, const OperationMetrics& counters) {
  for (std::size_t kind = 0; kind < OperationMetrics::kinds; ++kind)
    for (const Effect effect : {Effect::none, Effect::unknown})
      samples.count(read(counters.callErrors[kind][static_cast<std::size_t>(effect)]),
                    {{"kind", toString(static_cast<ErrorKind>(kind))}, {"effect", toString(effect)}});
}

void callDurations(Samples& samples, const OperationMetrics& counters) {
  samples.histogram(counters.callDurations);
}

void attempts(Samples& samples, const OperationMetrics& counters) {
  samples.count(read(counters.attempts));
}

void inProgress(Samples& samples, const OperationMetrics& counters) {
  if (read(counters.attempts) != 0) samples.number(read(counters.inProgress));
}

void attemptErrors(Samples& samples, const OperationMetrics& counters) {
  for (std::size_t kind = 0; kind < OperationMetrics::kinds; ++kind)
    samples.count(read(counters.attemptErrors[kind]), {{"kind", toString(static_cast<ErrorKind>(kind))}});
}

void attemptDurations(Samples& samples, const OperationMetrics& counters) {
  samples.histogram(counters.attemptDurations);
}

void responses(Samples& samples, const OperationMetrics& counters) {
  for (std::size_t i = 0; i < statusLabels.size(); ++i)
    samples.count(read(counters.responses[i]), {{"status", statusLabels[i].label}});
}

void rateLimited(Samples& samples, const OperationMetrics& counters) {
  constexpr auto& known = EnumTexts<RateLimitedReason>::values;
  for (std::size_t i = 0; i < OperationMetrics::reasons; ++i)
    samples.count(read(counters.rateLimited[i]), {{"reason", known[i]}});
  samples.count(read(counters.rateLimited.back()), {{"reason", MetricsTable::other}});
}

void waits(Samples& samples, const OperationMetrics& counters) {
  for (std::size_t i = 0; i < waitLabels.size(); ++i)
    samples.count(read(counters.waits[i].times), {{"reason", waitLabels[i].label}});
}

void secondsWaited(Samples& samples, const OperationMetrics& counters) {
  for (std::size_t i = 0; i < waitLabels.size(); ++i)
    if (read(counters.waits[i].times) != 0)
      samples.seconds(std::chrono::nanoseconds{read(counters.waits[i].nanoseconds)},
                      {{"reason", waitLabels[i].label}});
}

struct Family {
  std::string_view name{};
  std::string_view type{};
  std::string_view help{};
  void (*append)(Samples& samples, const OperationMetrics& counters) = nullptr;
};

constexpr Family families[] = {
    {"tally_calls_total", "counter", "Completed calls.", calls},
    {"tally_call_errors_total", "counter", "Failed calls, by kind of error and effect.", callErrors},
    {"tally_call_duration_seconds", "histogram", "Duration of calls, including all attempts and waits.",
     callDurations},
    {"tally_attempts_total", "counter", "Requests sent.", attempts},
    {"tally_attempts_in_flight", "gauge", "Requests in flight.", inProgress},
    {"tally_attempt_errors_total", "counter",
     "Failed attempts, including those of calls that succeeded later.", attemptErrors},
    {"tally_attempt_duration_seconds", "histogram", "Duration of attempts.", attemptDurations},
    {"tally_responses_total", "counter", "Responses, by HTTP status; none: attempts without a response.",
     responses},
    {"tally_rate_limited_total", "counter", "Rate-limited attempts, by reason.", rateLimited},
    {"tally_waits_total", "counter", "Completed waits, by reason.", waits},
    {"tally_waited_seconds_total", "counter", "Total duration of completed waits, by reason.", secondsWaited},
};

void append(std::string& text, const MetricsTable& table, const Family& family) {
  std::string lines;
  table.forEach([&](std::string_view operation, const OperationMetrics& counters) {
    Samples samples{lines, family.name, operation};
    family.append(samples, counters);
  });
  if (lines.empty()) return;
  text.append("# HELP ").append(family.name).append(" ").append(family.help) += '\n';
  text.append("# TYPE ").append(family.name).append(" ").append(family.type) += '\n';
  text += lines;
}

}  // namespace

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

std::string MetricsObserver::prometheusText() const {
  std::string text;
  for (const detail::Family& family : detail::families)
    append(text, *table_, family);
  return text;
}

std::ostream& operator<<(std::ostream& out, const MetricsObserver& counters) {
  return out << counters.prometheusText();
}

}  // namespace tally
