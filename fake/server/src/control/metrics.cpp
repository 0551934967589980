#include "control/metrics.h"

#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include <tally/version.h>

#include <sys/resource.h>
#include <unistd.h>

#include "format/control_json.h"
#include "text/exposition.h"

namespace tally::fake::detail {

namespace {

using tally::detail::Exposition;

void addCounts(Exposition& out, const RequestCounts::Totals& totals) {
  out.metric("tally_fake_requests_total", "counter",
             "Requests to the payments API, by operation and status (none: no response).");
  for (const auto& [key, count] : totals.requests)
    out.sample({{"operation", std::string{key.first.empty() ? "unknown" : key.first}},
                {"status", key.second == 0 ? "none" : std::to_string(key.second)}},
               static_cast<double>(count));
  out.metric("tally_fake_refusals_total", "counter", "Requests that a limit refused.");
  for (const auto& [limit, count] : totals.refusals)
    out.sample({{"limit", std::string{limit}}}, static_cast<double>(count));
  out.metric("tally_fake_faults_total", "counter", "Requests that an injected fault affected.");
  for (const auto& [fault, count] : totals.faults)
    out.sample({{"fault", inSnakeCase(fault)}}, static_cast<double>(count));
}

void addTraffic(Exposition& out, const Traffic& traffic) {
  out.single("tally_fake_requests_in_flight", "gauge",
             "Requests without a complete response, including those to the control API.",
             traffic.inFlight.load());
  out.single("tally_fake_event_streams", "gauge", "Open event streams.", traffic.streams.load());
  out.single("tally_fake_unreadable_requests_total", "counter", "Requests that were not HTTP/1.1.",
             traffic.unparseable.load());
  out.single("tally_fake_connections", "gauge", "Open connections.", traffic.connections.load());
  out.single("tally_fake_accepted_connections_total", "counter", "Connections accepted.",
             traffic.accepted.load());
}

/// The memory of this process in bytes; 0 if the system does not say.
double residentMemory() {
  std::ifstream file{"/proc/self/statm"};
  double pages = 0;
  double resident = 0;
  file >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void addProcess(Exposition& out) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  out.single("process_resident_memory_bytes", "gauge", "Resident memory size in bytes.", residentMemory());
  out.single("process_cpu_seconds_total", "counter", "Total user and system CPU time spent in seconds.",
             seconds(usage.ru_utime) + seconds(usage.ru_stime));
}

}  // namespace

std::string metricsOf(const Host& host) {
  Exposition out;
  out.metric("tally_fake_build_info", "gauge", "The version of tally-fake.");
  out.sample({{"version", std::string{version}}}, 1);
  addCounts(out, host.counts.totals());
  addTraffic(out, host.traffic);
  out.single("tally_fake_accounts", "gauge", "Accounts with known keys.", host.accountCount());
  out.single("tally_fake_logged_requests", "gauge", "Requests in the logs of all services.", host.logSize());
  addProcess(out);
  return std::move(out).take();
}

}  // namespace tally::fake::detail
