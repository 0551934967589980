#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <ostream>
#include <utility>
#include <variant>

#include <tally/wire_log.h>

#include "event/async_transport.h"
#include "observability/wire_lines.h"
#include "print/value_line.h"

namespace tally {

namespace {

using detail::AsyncSetup;
using detail::AsyncTransfer;
using detail::AsyncTransport;

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
class Exchange {
 public:
  Exchange(WireSink& sink, const HttpRequest& request)
      : sink_(sink), number_(sink.nextNumber()), lines_(sink.options(), sink.names()) {
    write([&] { return lines_.request(request); });
  }

  void ended(const TransportResult& result) {
    write([&] {
      const auto* response = std::get_if<HttpResponse>(&result);
      return response == nullptr ? lines_.failure(std::get<TransportFailure>(result))
                                 : lines_.response(*response);
    });
  }
  void threw() {
    write([] { return std::string{"< exception"}; });
  }
  void abandoned() {
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

/// A request in flight.
class LoggedTransfer final : public AsyncTransfer, private AsyncTransport::Receiver {
 public:
  LoggedTransfer(WireSink& sink, const HttpRequest& request, AsyncTransport::Receiver& receiver)
      : exchange_(sink, request), receiver_(receiver) {}
  LoggedTransfer(const LoggedTransfer&) = delete;
  LoggedTransfer& operator=(const LoggedTransfer&) = delete;
  ~LoggedTransfer() override {
    if (next_ != nullptr && !hasEnded_) exchange_.abandoned();
  }

  void start(AsyncTransport& next, const HttpRequest& request, Instant deadline) {
    next_ = next.start(request, deadline, *this);
  }

  [[nodiscard]] bool mayHaveBeenSent() const noexcept override { return next_->mayHaveBeenSent(); }

 private:
  // The receiver may destroy this.

  void ended(TransportResult&& result) override {
    hasEnded_ = true;
    exchange_.ended(result);
    receiver_.ended(std::move(result));
  }
  void threw(const std::exception_ptr& exception) override {
    hasEnded_ = true;
    exchange_.threw();
    receiver_.threw(exception);
  }

  Exchange exchange_;
  AsyncTransport::Receiver& receiver_;
  std::unique_ptr<AsyncTransfer> next_{};
  bool hasEnded_ = false;
};

class AsyncWireLog final : public AsyncTransport {
 public:
  AsyncWireLog(std::shared_ptr<WireSink> sink, std::unique_ptr<AsyncTransport> next)
      : sink_(std::move(sink)), next_(std::move(next)) {}

  [[nodiscard]] std::unique_ptr<AsyncTransfer> start(const HttpRequest& request, Instant deadline,
                                                     Receiver& receiver) override {
    auto transfer = std::make_unique<LoggedTransfer>(*sink_, request, receiver);
    transfer->start(*next_, request, deadline);
    return transfer;
  }

 private:
  std::shared_ptr<WireSink> sink_;
  std::unique_ptr<AsyncTransport> next_;
};

class WireLog final : public Transport {
 public:
  WireLog(std::shared_ptr<Transport> next, std::shared_ptr<WireSink> sink)
      : next_(std::move(next)), sink_(std::move(sink)) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    Exchange exchange{*sink_, request};
    try {
      TransportResult result = next_->send(request, limits);
      exchange.ended(result);
      return result;
    } catch (...) {
      exchange.threw();
      throw;
    }
  }

  [[nodiscard]] bool inProcess() const noexcept override { return next_->inProcess(); }

  [[nodiscard]] std::unique_ptr<AsyncSetup> makeAsync(const std::shared_ptr<Clock>& clock) override {
    auto setup = next_->makeAsync(clock);
    if (setup != nullptr)
      setup->transport = std::make_unique<AsyncWireLog>(sink_, std::move(setup->transport));
    return setup;
  }

 private:
  std::shared_ptr<Transport> next_;
  std::shared_ptr<WireSink> sink_;
};

}  // namespace

std::shared_ptr<Transport> wireLog(std::shared_ptr<Transport> next, LogSink sink, WireLogOptions options) {
  return std::make_shared<WireLog>(std::move(next),
                                   std::make_shared<WireSink>(std::move(sink), std::move(options)));
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
