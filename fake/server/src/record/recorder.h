#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "control/host_names.h"
#include "har/exchange_redactor.h"
#include "har/har_writer.h"
#include "net/handler.h"
#include "record/injected_faults.h"
#include "record/upstream.h"

namespace tally::fake::detail {

struct RecorderOptions {
  UpstreamOptions upstream{};
  std::string file{};
  std::vector<std::string> redact{};  // the names of further secret fields
  std::vector<FaultRule> faults{};
  std::uint64_t seed = 1;
  HostNames hosts{};  // of the control API
};

/// Forwards requests to the upstream, and records each exchange before the client receives the response.
/// Injects faults on the way. The paths under `/_fake/` are its own. Thread-safe.
class Recorder final : public Handler, public DeferredHandler {
 public:
  /// `onProblem` is called once if the recording can't continue; requests are then refused. Throws
  /// std::runtime_error if the file can't be created, and std::invalid_argument for an invalid fault.
  Recorder(RecorderOptions options, std::function<void()> onProblem);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder() override;

  [[nodiscard]] bool mayBlock(const HttpRequest& /*request*/) const override { return false; }
  [[nodiscard]] Reply handle(const Incoming& incoming, const StopToken& stop) override;
  [[nodiscard]] DeferredHandler* deferredFor(const HttpRequest& request) override;
  void start(const Incoming& incoming, boost::asio::io_context& loop, Done done) override;

  /// Requests that have no response at that time fail. Called before the server stops.
  void giveUpAt(SteadyClock::time_point time) { giveUpAt_ = time; }

  /// Closes the connections to the upstream. Called once the server has stopped, before its loops end.
  void disconnect();

  /// Removes a recording that has no requests. Must be the last call.
  void discardIfEmpty() noexcept { writer_.discardIfEmpty(); }

  /// Why the recording can't continue; empty if it can.
  [[nodiscard]] std::string problem() const;
  [[nodiscard]] std::uint64_t count() const { return writer_.count(); }

 private:
  struct Pending;

  [[nodiscard]] Upstream& upstreamOf(boost::asio::io_context& loop);
  void responded(Pending& pending, UpstreamOutcome outcome);
  void deliver(Pending& pending, TransportResult result);
  [[nodiscard]] bool record(const tally::detail::Exchange& exchange);

  const RecorderOptions options_;
  const std::function<void()> onProblem_;
  tally::detail::ExchangeRedactor redactor_;
  InjectedFaults faults_;  // before the file, which an invalid fault would leave
  tally::detail::HarWriter writer_;
  std::atomic<SteadyClock::time_point> giveUpAt_ = SteadyClock::time_point::max();
  mutable std::mutex mutex_{};
  std::string problem_{};
  std::atomic<bool> failed_ = false;
  std::unordered_map<boost::asio::io_context*, std::unique_ptr<Upstream>> upstreams_{};
};

}  // namespace tally::fake::detail
