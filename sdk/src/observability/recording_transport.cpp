#include <algorithm>
#include <atomic>
#include <exception>
#include <ostream>
#include <utility>
#include <variant>

#include <tally/recording.h>

#include "har/exchange_redactor.h"
#include "har/har_writer.h"
#include "observability/observed_transport.h"
#include "print/value_line.h"
#include "text/ascii.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

using detail::Exchange;

/// The file, until it can't be written.
class Recording {
 public:
  Recording(const std::string& file, RecordingOptions options)
      : options_(std::move(options)),
        clock_(options_.clock ? options_.clock : systemClock()),
        redactor_(options_.redact),
        writer_(file, options_.redact) {}

  [[nodiscard]] Instant now() const { return clock_->now(); }

  /// Records what `finish` returns.
  template <class Finish>
  void add(const Finish& finish) noexcept {
    guarded([&] { writer_.write(redactor_.redacted(finish())); });
  }

  /// Invokes `step`. A call must not fail because of its recording, nor because of the clock or of missing
  /// memory for the recording.
  template <class Step>
  void guarded(const Step& step) noexcept {
    try {
      step();
    } catch (const std::exception& problem) {
      report(problem.what());
    } catch (...) {
      report("not a std::exception");
    }
  }

 private:
  /// While the handler runs, which may make calls, other threads need not wait for it.
  void report(std::string_view problem) noexcept {
    if (isReported_.exchange(true) || !options_.onProblem) return;
    try {
      options_.onProblem(problem);
      // NOLINTNEXTLINE(bugprone-empty-catch): see guarded()
    } catch (...) {
    }
  }

  const RecordingOptions options_;
  const std::shared_ptr<Clock> clock_;
  detail::ExchangeRedactor redactor_;
  detail::HarWriter writer_;
  std::atomic<bool> isReported_{false};
};

/// The transport has already decoded the body.
std::vector<Header> headersOfText(const std::vector<Header>& headers) {
  std::vector<Header> kept = headers;
  std::erase_if(kept, [](const Header& header) {
    return detail::equalIgnoringCase(header.name, "Content-Encoding") ||
           detail::equalIgnoringCase(header.name, "Content-Length");
  });
  return kept;
}

class RecordedRequest final : public detail::RequestObserver {
 public:
  RecordedRequest(Recording& recording, const HttpRequest& request)
      : recording_(recording),
        exchange_{.startedAt = recording.now(),
                  .method = std::string{toString(request.method)},
                  .url = request.url,
                  .requestHeaders = request.headers,
                  .requestBody = request.body} {}

  void ended(const TransportResult& result) override {
    recording_.add([&]() -> const Exchange& {
      keep(result);
      return finished();
    });
  }
  void threw() override { fail("the transport threw an exception"); }
  void abandoned() override { fail("abandoned by the client"); }

 private:
  void keep(const TransportResult& result) {
    if (const auto* response = std::get_if<HttpResponse>(&result)) {
      exchange_.status = response->status;
      exchange_.responseHeaders = headersOfText(response->headers);
      exchange_.responseBody = response->body;
    } else {
      const auto& failure = std::get<TransportFailure>(result);
      exchange_.failure = std::string{toString(failure.kind)} + ": " + failure.message;
    }
  }
  void fail(const char* why) {
    recording_.add([&]() -> const Exchange& {
      exchange_.failure = why;
      return finished();
    });
  }
  [[nodiscard]] const Exchange& finished() {
    exchange_.duration = recording_.now() - exchange_.startedAt;
    return exchange_;
  }

  Recording& recording_;
  Exchange exchange_;
};

class Recorder final : public detail::TransportObserver {
 public:
  Recorder(const std::string& file, RecordingOptions options) : recording_(file, std::move(options)) {}

  [[nodiscard]] std::unique_ptr<detail::RequestObserver> begin(const HttpRequest& request) noexcept override {
    std::unique_ptr<detail::RequestObserver> begun;
    recording_.guarded([&] { begun = std::make_unique<RecordedRequest>(recording_, request); });
    return begun;
  }

 private:
  Recording recording_;
};

}  // namespace

std::shared_ptr<Transport> recordingTransport(std::shared_ptr<Transport> next, const std::string& file,
                                              RecordingOptions options) {
  return detail::observedTransport(std::move(next), std::make_shared<Recorder>(file, std::move(options)));
}

std::ostream& operator<<(std::ostream& out, const RecordingOptions& value) {
  return out << detail::ValueLine{"RecordingOptions"}
                    .add("redact", value.redact)
                    .addSet("clock", value.clock != nullptr)
                    .addSet("onProblem", value.onProblem != nullptr);
}

}  // namespace tally
