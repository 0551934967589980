#include <mutex>
#include <ostream>
#include <utility>

#include <tally/log_observer.h>

#include "observability/event_line.h"
#include "print/value_line.h"

namespace [[gnu::visibility("default")]] tally {

namespace {

class Logger final : public Observer {
 public:
  Logger(LogSink sink, LogOptions options) : sink_(std::move(sink)), options_(std::move(options)) {}

  void on(const Event& event) noexcept override {
    try {
      if (options_.select(event)) write(lineOf(event));
      // NOLINTNEXTLINE(bugprone-empty-catch): a line that can't be written must not end a call
    } catch (...) {
    }
  }

 private:
  [[nodiscard]] std::string lineOf(const Event& event) const {
    std::string line = detail::lineOf(event);
    if (options_.messages && event.error != nullptr) detail::appendMessages(line, *event.error);
    return line;
  }

  void write(std::string_view line) {
    const std::scoped_lock lock{mutex_};
    sink_(line);
  }

  std::mutex mutex_{};
  LogSink sink_;
  LogOptions options_;
};

}  // namespace

bool isNotable(const Event& event) noexcept {
  return event.kind == EventKind::callEnded || event.kind == EventKind::backoffStarted ||
         event.error != nullptr;
}

std::shared_ptr<Observer> logObserver(LogSink sink, LogOptions options) {
  return std::make_shared<Logger>(std::move(sink), std::move(options));
}

std::shared_ptr<Observer> logObserver(std::ostream& out, LogOptions options) {
  return logObserver([&out](std::string_view line) { out << line << '\n'; }, std::move(options));
}

std::ostream& operator<<(std::ostream& out, const LogOptions& value) {
  return out << detail::ValueLine{"LogOptions"}
                    .addSet("select", value.select != nullptr)
                    .add("messages", value.messages);
}

}  // namespace tally
