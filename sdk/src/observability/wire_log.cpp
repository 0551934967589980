#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <ostream>
#include <utility>
#include <variant>

#include <tally/wire_log.h>

#include "observability/observed_transport.h"
#include "observability/wire_lines.h"
#include "print/value_line.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

/// Where the lines of a transport go, from any thread.
class WireSink {
 public:
  WireSink(LogSink sink, WireLogOptions options)
      : sink_(std::move(sink)), options_(std::move(options)), names_(options_.redact) {}

  [[nodiscard]] const WireLogOptions& options() const noexcept { return options_; }
  [[nodiscard]] const detail::SecretNames& names() const noexcept { return names_; }
  [[nodiscard]] std::uint64_t nextNumber() noexcept { return ++requests_; }

  void write(std::string_view line) {
    const std::scoped_lock lock{mutex_};
    sink_(line);
  }

 private:
  std::mutex mutex_{};
  LogSink sink_;
  WireLogOptions options_;
  detail::SecretNames names_;
  std::atomic<std::uint64_t> requests_ = 0;
};

/// The lines about one request. A line that can't be written must not end a call.
class LoggedRequest final : public detail::RequestObserver {
 public:
  LoggedRequest(WireSink& sink, const HttpRequest& request)
      : sink_(sink), number_(sink.nextNumber()), lines_(sink.options(), sink.names()) {
    write([&] { return lines_.request(request); });
  }

  void ended(const TransportResult& result) override {
    write([&] {
      const auto* response = std::get_if<HttpResponse>(&result);
      return response == nullptr ? lines_.failure(std::get<TransportFailure>(result))
                                 : lines_.response(*response);
    });
  }
  void threw() override {
    write([] { return std::string{"< exception"}; });
  }
  void abandoned() override {
    write([] { return std::string{"< abandoned by the client"}; });
  }

 private:
  template <class Line>
  void write(const Line& line) noexcept {
    try {
      sink_.write('#' + std::to_string(number_) + ' ' + line());
      // NOLINTNEXTLINE(bugprone-empty-catch): see above
    } catch (...) {
    }
  }

  WireSink& sink_;
  std::uint64_t number_;
  detail::WireLines lines_;
};

class WireLog final : public detail::TransportObserver {
 public:
  WireLog(LogSink sink, WireLogOptions options) : sink_(std::move(sink), std::move(options)) {}

  /// Without memory, the request has no lines.
  [[nodiscard]] std::unique_ptr<detail::RequestObserver> begin(const HttpRequest& request) noexcept override {
    try {
      return std::make_unique<LoggedRequest>(sink_, request);
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }

 private:
  WireSink sink_;
};

}  // namespace

std::shared_ptr<Transport> wireLog(std::shared_ptr<Transport> next, LogSink sink, WireLogOptions options) {
  return detail::observedTransport(std::move(next),
                                   std::make_shared<WireLog>(std::move(sink), std::move(options)));
}

std::shared_ptr<Transport> wireLog(std::shared_ptr<Transport> next, std::ostream& out,
                                   WireLogOptions options) {
  return wireLog(std::move(next), [&out](std::string_view line) { out << line << '\n'; }, std::move(options));
}

std::ostream& operator<<(std::ostream& out, const WireLogOptions& value) {
  return out << detail::ValueLine{"WireLogOptions"}
                    .add("redact", value.redact)
                    .add("maxBodyBytes", value.maxBodyBytes);
}

}  // namespace tally
