#include "work.h"

#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/client.h>
#include <tally/outbox.h>

#include "domain_keys.h"
#include "event_log.h"
#include "metrics_endpoint.h"
#include "status_watch.h"
#include "stop_signals.h"
#include "worker_metrics.h"

namespace tally::detail {

namespace {

std::vector<std::string> domainNames(const CommandLine& line) {
  std::vector<std::string> names;
  names.reserve(line.domains.size());
  for (const KeySource& source : line.domains)
    names.push_back(source.domain);
  return names;
}

OutboxDomain domainOf(const KeySource& source, const CommandLine& line, const DomainKeys& keys,
                      const WorkerMetrics& metrics) {
  OutboxDomain made{.name = source.domain};
  made.client.baseUrl = line.baseUrl;
  made.client.http.allowPlainHttp = line.allowPlainHttp;
  made.client.timeout = line.attemptTimeout();
  made.client.observer = metrics.observer(source.domain);
  keys.provide(source, made.client, made.pacing);
  return made;
}

OutboxOptions optionsOf(const CommandLine& line, const DomainKeys& keys, WorkerMetrics& metrics,
                        EventLog& log) {
  OutboxOptions options{.lease = line.lease,
                        .window = line.window,
                        .maxInFlight = line.maxInFlight,
                        .retention = line.retention,
                        .allowLossOnPowerFailure = line.allowLossOnPowerFailure};
  for (const KeySource& source : line.domains)
    options.domains.push_back(domainOf(source, line, keys, metrics));
  options.onEvent = [&metrics, &log](const OutboxEvent& event) {
    metrics.count(event);
    if (event.kind != OutboxEvent::Kind::heartbeat) log.write(event);
  };
  return options;
}

MetricsEndpoint::Response answer(std::string_view path, const WorkerMetrics& metrics, StatusWatch& status) {
  if (path == "/metrics") return {.body = metrics.text(status.latest())};
  if (path != "/health") return {.status = 404, .body = "only /metrics and /health are served here\n"};
  const HealthProblem problem = metrics.health();
  return problem.empty() ? MetricsEndpoint::Response{.body = "ok\n"}
                         : MetricsEndpoint::Response{.status = 503, .body = problem + '\n'};
}

}  // namespace

void work(const CommandLine& line) {
  EventLog log{std::cerr};
  const StopSignals signals{log};  // before all other threads
  const DomainKeys keys{line.domains, log};
  WorkerMetrics metrics{domainNames(line), line.lease};
  Outbox outbox{line.database, optionsOf(line, keys, metrics, log)};
  std::optional<StatusWatch> status;
  std::optional<MetricsEndpoint> endpoint;
  if (line.metrics) {
    status.emplace([&outbox] { return outbox.status(); });
    endpoint.emplace(*line.metrics, [&](std::string_view path) { return answer(path, metrics, *status); });
    std::cout << "tally-outbox listening on " << endpoint->url() << '\n' << std::flush;
  }
  outbox.run(signals.token());
}

}  // namespace tally::detail
