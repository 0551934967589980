#include "record/recorder.h"

#include <chrono>
#include <exception>
#include <utility>
#include <variant>

#include <boost/asio/post.hpp>

#include "json/json_writer.h"
#include "record/fault_operations.h"
#include "record/forwarded_request.h"
#include "request/request_head.h"
#include "text/bodiless.h"

namespace tally::fake::detail {

namespace asio = boost::asio;
using tally::detail::Exchange;

namespace {

constexpr std::string_view ownPaths = "/_fake/";

Instant realTime() {
  return std::chrono::time_point_cast<Instant::duration>(std::chrono::system_clock::now());
}

/// What the client receives if there is no response.
HttpResponse refusal(int status, std::string_view code, const std::string& message) {
  std::string body = R"({"error":{"type":"api_error","code":)";
  tally::detail::writeJsonString(body, code);
  tally::detail::writeJsonString(body += R"(,"message":)", message);
  return responseWith("application/json", body + "}}", status);
}

}  // namespace

/// A request on its way.
struct Recorder::Pending {
  Exchange exchange{};
  SteadyClock::time_point began{};
  FaultedRequest fault{};
  Done done{};
};

Recorder::Recorder(RecorderOptions options, std::function<void()> onProblem)
    : options_(std::move(options)),
      onProblem_(std::move(onProblem)),
      redactor_(options_.redact),
      faults_(options_.seed, options_.faults, realTime()),
      writer_(options_.file, options_.redact) {}

Recorder::~Recorder() = default;

Reply Recorder::handle(const Incoming& incoming, const StopToken& /*stop*/) {
  return faultOperation(faults_, incoming, options_.hosts, realTime());
}

DeferredHandler* Recorder::deferredFor(const HttpRequest& request) {
  return targetOf(request.url).path.starts_with(ownPaths) ? nullptr : this;
}

void Recorder::start(const Incoming& incoming, asio::io_context& loop, Done done) {
  const auto pending = std::make_shared<Pending>();
  pending->began = SteadyClock::now();
  pending->done = std::move(done);
  Exchange& exchange = pending->exchange;
  exchange.startedAt = realTime();
  exchange.method = methodOf(incoming);
  exchange.url = forwardedUrl(incoming, options_.upstream.url);
  exchange.requestHeaders = forwardedHeaders(incoming, options_.upstream.url);
  exchange.requestBody = incoming.request.body;
  auto instead = failed_ ? std::nullopt : faults_.onArrival(incoming, exchange.startedAt, pending->fault);
  if (instead || failed_) {
    asio::post(loop, [this, pending, result = std::move(instead).value_or(TransportFailure{})]() mutable {
      deliver(*pending, std::move(result));
    });
    return;
  }
  upstreamOf(loop).send(
      forwarded(incoming, exchange.requestHeaders, options_.upstream.url),
      [this, pending](UpstreamOutcome outcome) { responded(*pending, std::move(outcome)); });
}

/// Each loop has its own connections, which only its thread uses.
Upstream& Recorder::upstreamOf(asio::io_context& loop) {
  const std::scoped_lock lock{mutex_};
  auto& upstream = upstreams_[&loop];
  if (!upstream) upstream = std::make_unique<Upstream>(loop, options_.upstream, giveUpAt_);
  return *upstream;
}

void Recorder::responded(Pending& pending, UpstreamOutcome outcome) {
  if (!outcome.response) {
    pending.exchange.failure = outcome.failure;
    return deliver(pending, refusal(502, "upstream_failed", "tally-fake record: " + outcome.failure));
  }
  HttpResponse& response = *outcome.response;
  const bool bodiless = pending.exchange.method == "HEAD" || response.status == tally::detail::notModified;
  removeConnectionHeaders(response.headers, bodiless);
  auto instead = faults_.onResponse(response, pending.fault);
  if (instead) pending.exchange.upstream = response;
  deliver(pending, instead ? *std::move(instead) : std::move(response));
}

/// Records what the client is about to receive. A request that is not recorded gets no response of the
/// upstream.
void Recorder::deliver(Pending& pending, TransportResult result) {
  Exchange& exchange = pending.exchange;
  exchange.duration = SteadyClock::now() - pending.began;
  exchange.fault = pending.fault.name();
  if (const auto* failure = std::get_if<TransportFailure>(&result)) {
    exchange.failure = failure->message;
  } else if (exchange.failure.empty()) {
    const auto& response = std::get<HttpResponse>(result);
    exchange.status = response.status;
    exchange.responseHeaders = response.headers;
    exchange.responseBody = response.body;
  }
  if (!record(exchange)) result = refusal(503, "recording_failed", "tally-fake record: " + problem());
  Reply reply{ScheduledResult{.result = std::move(result)}};
  if (const auto& effect = pending.fault.effect) {
    reply.delay = effect->latency;
    reply.chunks = effect->chunks;
    reply.pause = effect->pause;
    reply.pausesTakeRealTime = true;
  }
  pending.done(std::move(reply));
}

bool Recorder::record(const Exchange& exchange) {
  if (failed_) return false;
  try {
    writer_.write(redactor_.redacted(exchange));
    return true;
  } catch (const std::exception& problem) {
    const std::scoped_lock lock{mutex_};
    if (failed_.exchange(true)) return false;
    problem_ = problem.what();
  }
  onProblem_();
  return false;
}

std::string Recorder::problem() const {
  const std::scoped_lock lock{mutex_};
  return problem_;
}

void Recorder::disconnect() {
  const std::scoped_lock lock{mutex_};
  upstreams_.clear();
}

}  // namespace tally::fake::detail
