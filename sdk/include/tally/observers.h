#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tally/observer.h>

// Ready observers. None of them holds or writes a key, a body or metadata.

namespace tally {

namespace detail {
class CounterTable;
}

/// Whether an event is worth a line in a log that is kept: the end of each call, and before it each attempt
/// that failed and each wait before the next.
[[nodiscard]] bool isNotable(const Event& event) noexcept;

struct LogOptions {
  /// Which events get a line. Asked in the threads of the calls, at the same time.
  std::function<bool(const Event&)> select = isNotable;
  /// Also writes the `param` and the `message` of errors. They may be words of the service, which may repeat
  /// what it was sent, metadata too; a key is `[key]` there.
  bool messages = false;
};

/// Takes a line, without an end of line.
using LogSink = std::function<void(std::string_view line)>;

/// Writes a line for each event, as `<<` does it. Lines come whole and one after the other, from however many
/// threads and clients. `out` is not owned, outlives the clients, and is written to by nobody else at the
/// same time; it is not flushed.
[[nodiscard]] std::shared_ptr<Observer> logTo(std::ostream& out, LogOptions options = {});

/// The same for what takes lines in another way. A line for which `sink` throws is lost. It makes no calls of
/// a client that it logs.
[[nodiscard]] std::shared_ptr<Observer> logTo(LogSink sink, LogOptions options = {});

/// Counts what the calls of one client or of several do, for a scraper of metrics. Thread-safe; counting
/// takes no lock and no memory.
class Counters final : public Observer {
 public:
  Counters();
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;
  ~Counters() override;

  void on(const Event& event) noexcept override;

  /// All that was counted, in the text exposition format, version 0.0.4: to be served as `text/plain;
  /// version=0.0.4`. Durations are in seconds. Labels take few values, whatever a service sends: what is not
  /// known by name is `other`. What has not happened yet is left out.
  [[nodiscard]] std::string text() const;

 private:
  std::unique_ptr<detail::CounterTable> table_;
};

/// Prints Counters::text().
std::ostream& operator<<(std::ostream& out, const Counters& counters);

/// Several as one: each is told of every event, in their order. Null ones are left out.
[[nodiscard]] std::shared_ptr<Observer> observers(std::vector<std::shared_ptr<Observer>> all);

}  // namespace tally
