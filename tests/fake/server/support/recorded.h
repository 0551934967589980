#pragma once

#include <chrono>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "files/file_input.h"
#include "har/har_reader.h"
#include "net/listener.h"
#include "record/recorder.h"
#include "temporary_folder.h"

namespace tally::test {

/// The exchanges in a recording.
inline std::vector<tally::detail::Exchange> exchangesIn(const std::string& file) {
  std::ifstream in{file, std::ios::binary};
  tally::detail::HarReader reader{in};
  std::vector<tally::detail::Exchange> exchanges;
  while (auto exchange = reader.next())
    exchanges.push_back(*std::move(exchange));
  return exchanges;
}

/// A server that responds as a function says, and keeps what it received.
class ScriptedServer final : private fake::detail::Handler {
 public:
  using Respond = std::function<fake::detail::Reply(const fake::detail::Incoming&)>;

  explicit ScriptedServer(Respond respond, const fake::HttpServerOptions& options = {})
      : respond_(std::move(respond)), listener_(*this, options, traffic_) {}

  [[nodiscard]] std::string url() const { return listener_.url(); }
  [[nodiscard]] std::uint16_t port() const { return listener_.port(); }
  [[nodiscard]] std::uint64_t connections() const { return traffic_.accepted; }
  [[nodiscard]] std::vector<fake::detail::Incoming> received() const {
    const std::scoped_lock lock{mutex_};
    return received_;
  }
  void stop() { listener_.stop(); }

 private:
  [[nodiscard]] bool mayBlock(const HttpRequest& /*request*/) const override { return false; }
  [[nodiscard]] fake::detail::Reply handle(const fake::detail::Incoming& incoming,
                                           const StopToken& /*stop*/) override {
    {
      const std::scoped_lock lock{mutex_};
      received_.push_back(incoming);
    }
    return respond_(incoming);
  }

  Respond respond_;
  mutable std::mutex mutex_{};
  std::vector<fake::detail::Incoming> received_{};
  fake::detail::Traffic traffic_{};
  fake::detail::Listener listener_;
};

/// A recorder on a port.
class RunningRecorder {
 public:
  explicit RunningRecorder(const std::string& upstream,
                           const std::function<void(fake::detail::RecorderOptions&)>& edit = {},
                           unsigned threads = 1)
      : recorder_(options(upstream, edit), [this] { ++problems; }),
        listener_(recorder_, {.threads = threads, .bodyLimit = fake::detail::largestInput}, traffic_) {}
  RunningRecorder(const RunningRecorder&) = delete;
  RunningRecorder& operator=(const RunningRecorder&) = delete;
  ~RunningRecorder() { stop(); }

  void stop() {
    recorder_.giveUpAt(std::chrono::steady_clock::now());
    listener_.stop();
    recorder_.disconnect();
  }

  [[nodiscard]] std::uint16_t port() const { return listener_.port(); }
  [[nodiscard]] const fake::detail::Recorder& recorder() const { return recorder_; }
  [[nodiscard]] std::string file() const { return (folder_.path() / "run.har").string(); }
  [[nodiscard]] std::vector<tally::detail::Exchange> exchanges() const { return exchangesIn(file()); }

  std::atomic<int> problems = 0;

 private:
  fake::detail::RecorderOptions options(
      const std::string& upstream, const std::function<void(fake::detail::RecorderOptions&)>& edit) const {
    fake::detail::RecorderOptions options{.upstream = {.url = fake::detail::parseUpstream(upstream)},
                                          .file = file()};
    if (edit) edit(options);
    return options;
  }

  TemporaryFolder folder_{};
  fake::detail::Recorder recorder_;
  fake::detail::Traffic traffic_{};
  fake::detail::Listener listener_;
};

}  // namespace tally::test
