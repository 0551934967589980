// Draws the diagrams of docs/diagrams from runs against the fake. docs_diagrams FOLDER writes them; with
// --check, it only compares them.

#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/observer.h>
#include <tally/pacer.h>
#include <tally/tally.h>

#include "timeline.h"

namespace tally::docs {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds failedAt{1'767'225'600s};

/// An event, without references into the call.
struct Seen {
  EventKind kind{};
  std::chrono::nanoseconds at{};
  std::chrono::nanoseconds duration{};
  std::string method{};
  std::string trace{};
  std::string error{};
};

/// Keeps the events of a run, from its construction.
class Recorder final : public Observer {
 public:
  explicit Recorder(Instant start) : start_(start) {}

  void on(const Event& event) noexcept override {
    seen_.push_back(
        {.kind = event.kind,
         .at = event.time - start_,
         .duration = event.duration,
         .method = std::string{event.operation.substr(event.operation.find('.') + 1)},
         .trace = std::string{event.traceparent},
         .error = event.error == nullptr ? std::string{} : std::string{toString(event.error->kind())}});
  }

  [[nodiscard]] const std::vector<Seen>& seen() const { return seen_; }

 private:
  Instant start_;
  std::vector<Seen> seen_{};
};

/// A run against a fake: a service, an account, and a client whose events are kept.
struct Run {
  explicit Run(fake::ServiceOptions settings = {}) : service(settings) {
    options.observer = recorder;
    options.jitterSeed = 1;
  }

  fake::Service service;
  std::string key = service.addAccount().sandboxKey;
  ClientOptions options = service.clientOptions(key);
  std::shared_ptr<Recorder> recorder = std::make_shared<Recorder>(service.clock()->now());
};

/// The bar of what ended with this event, or nothing if it ended no wait and no attempt.
std::vector<Bar> barsOf(const Seen& seen, const std::string& ok) {
  const auto from = seen.at - seen.duration;
  if (seen.kind == EventKind::dequeued) return {{from, seen.at, Look::wait, "waits in the queue"}};
  if (seen.kind == EventKind::unthrottled) return {{from, seen.at, Look::wait, "waits for the pacer"}};
  if (seen.kind == EventKind::backoffEnded) return {{from, seen.at, Look::wait, "backoff"}};
  if (seen.kind != EventKind::attemptEnded) return {};
  return {{from, seen.at, seen.error.empty() ? Look::ok : Look::error, seen.error.empty() ? ok : seen.error}};
}

void add(Lane& lane, const Seen& seen, const std::string& ok = "200") {
  for (Bar& bar : barsOf(seen, ok))
    lane.bars.push_back(std::move(bar));
}

/// A report that meets this fault, and its resolution.
std::vector<Lane> lostReport(fake::Fault fault, const std::string& name, const std::string& read) {
  Run run{{.duration = 300ms}};
  const Client client{run.options};
  const auto payment = run.service.insert<PaymentRecord>(run.key);
  const PaymentRecordReportFailedParams params{.failedAt = failedAt};
  run.service.faults().inject({.fault = fault});
  (void)client.paymentRecords().reportFailed(payment.id, params);
  const std::size_t sent = run.recorder->seen().size();
  (void)client.paymentRecords().resolveReport(payment.id, params,
                                              {.attempt = payment.latestPaymentAttemptRecord});
  std::vector<Lane> lanes{{name}, {"then resolveReport"}};
  for (std::size_t i = 0; i < run.recorder->seen().size(); ++i) {
    const Seen& seen = run.recorder->seen()[i];
    add(lanes[i < sent ? 0 : 1], seen, seen.method == "retrieve" ? read : "sent again: 200");
  }
  lanes[0].marks.push_back({run.recorder->seen()[sent - 1].at, Look::wait, "effect unknown"});
  return lanes;
}

Timeline lostResponse() {
  std::vector<Lane> lanes = lostReport(fake::Fault::responseLost, "response lost", "read: applied");
  for (Lane& lane : lostReport(fake::Fault::reset, "request lost", "read: not applied"))
    lanes.push_back(std::move(lane));
  return {"A report whose response or request is lost, and its resolution", 1200ms, 200ms, std::move(lanes)};
}

Lane manyCalls(const std::string& name, std::shared_ptr<Pacer> pacer) {
  Run run{{.duration = 10ms}};
  run.options.pacer = std::move(pacer);
  const auto payment = run.service.insert<PaymentRecord>(run.key);
  const Client client{run.options};
  for (int n = 0; n < 75; ++n)
    (void)client.paymentRecords().retrieve(payment.id);
  Lane lane{name};
  for (const Seen& seen : run.recorder->seen())
    if (seen.kind == EventKind::attemptEnded)
      lane.marks.push_back({seen.at - seen.duration, seen.error.empty() ? Look::ok : Look::error, {}});
  return lane;
}

Timeline slidingWindow() {
  return {"75 calls under a limit of 25 requests per second",
          2500ms,
          500ms,
          {manyCalls("without a pacer", nullptr), manyCalls("with a pacer", std::make_shared<Pacer>())}};
}

Timeline mutationQueue() {
  Run run{{.duration = 150ms}};
  AsyncClient async{run.options};
  const auto one = run.service.insert<PaymentRecord>(run.key).id;
  const auto other = run.service.insert<PaymentRecord>(run.key).id;
  const std::pair<std::string, const Id<PaymentRecord>*> calls[] = {{"report on pr_1", &one},
                                                                    {"report on pr_1", &one},
                                                                    {"report on pr_1", &one},
                                                                    {"report on pr_2", &other}};
  std::map<std::string, std::size_t> laneOf;
  std::vector<Lane> lanes;
  for (const auto& [name, id] : calls) {
    const std::string trace =
        "00-0af7651916cd43dd8448eb211c80319c-000000000000000" + std::to_string(lanes.size() + 1) + "-01";
    laneOf[trace] = lanes.size();
    lanes.push_back({name});
    const std::vector<Header> headers{{"traceparent", trace}};
    async.paymentRecords()
        .reportFailed(id->str(), {.failedAt = failedAt}, {.headers = headers})
        .then([](const auto&) {});
  }
  async.run();
  for (const Seen& seen : run.recorder->seen())
    add(lanes[laneOf.at(seen.trace)], seen);
  return {"Four calls at once, three of them on one object", 600ms, 100ms, std::move(lanes)};
}

Lane retrieveUntil(const std::string& name, std::chrono::nanoseconds deadline) {
  Run run{{.duration = 100ms}};
  run.options.maxNetworkRetries = 5;
  const auto payment = run.service.insert<PaymentRecord>(run.key);
  const Client client{run.options};
  run.service.faults().inject({.times = 3, .error = "api_error"});
  const auto result =
      client.paymentRecords().retrieve(payment.id, {.deadline = client.clock().now() + deadline});
  Lane lane{name};
  for (const Seen& seen : run.recorder->seen()) {
    add(lane, seen);
    if (seen.kind == EventKind::callEnded && !result)
      lane.marks.push_back({seen.at, Look::error, "fails: the next retry would overrun the deadline"});
  }
  lane.marks.push_back({deadline, Look::wait, "deadline"});
  return lane;
}

Timeline backoff() {
  return {"Exponential backoff against a deadline",
          5s,
          1s,
          {retrieveUntil("deadline after 4.5 s", 4'500ms), retrieveUntil("deadline after 1.5 s", 1'500ms)}};
}

std::string read(const std::string& path) {
  std::ifstream in{path};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// Writes or compares a diagram. Whether it is as it should be.
bool put(const std::string& path, const std::string& svg, bool check) {
  if (check && read(path) != svg) {
    std::cerr << path << " differs from the run: run docs_diagrams docs/diagrams\n";
    return false;
  }
  if (!check) std::ofstream{path} << svg;
  return true;
}

}  // namespace

bool drawAll(const std::string& folder, bool check) {
  const std::pair<std::string, Timeline> all[] = {{"lost_response", lostResponse()},
                                                  {"sliding_window", slidingWindow()},
                                                  {"mutation_queue", mutationQueue()},
                                                  {"backoff", backoff()}};
  bool good = true;
  for (const auto& [name, timeline] : all)
    good = put(folder + '/' + name + ".svg", toSvg(timeline), check) && good;
  return good;
}

}  // namespace tally::docs

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "usage: docs_diagrams FOLDER [--check]\n";
    return 2;
  }
  return tally::docs::drawAll(arguments[1], count > 2 && std::string{arguments[2]} == "--check") ? 0 : 1;
}
