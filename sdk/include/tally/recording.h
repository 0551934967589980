#pragma once

#include <tally/detail/cpp20.h>

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tally/clock.h>
#include <tally/transport.h>

// Transports that record requests in HAR 1.2, and that respond as recorded. The recordings are those of
// `tally-fake record`, `replay` and `compare`; browsers and other tools read them, too.

namespace [[gnu::visibility("default")]] tally {

/// Options of recordingTransport().
struct RecordingOptions {
  /// The names of further fields whose values are not recorded: see WireLogOptions::redact.
  std::vector<std::string> redact{};
  /// The times of the recording. Null: systemClock().
  std::shared_ptr<Clock> clock{};
  /// Called once, with the problem, if recording can't continue, such as on a full disk. Requests are then
  /// sent without being recorded.
  std::function<void(std::string_view problem)> onProblem{};
};

std::ostream& operator<<(std::ostream& out, const RecordingOptions& value);

/// A transport that sends through `next`, and records each request with its response or failure in a new
/// file, before the call continues. The file is complete after each request, even if the process is then
/// killed.
///
/// Keys and tokens become names such as `sk_test_recorded1`, the same in the whole recording. `[redacted]`
/// replaces the secrets that wireLog() would not log, except that only headers with credentials are replaced.
///
/// Throws std::runtime_error, with the name and the problem, if the file exists or can't be created.
/// Thread-safe; asynchronous calls remain so.
[[nodiscard]] std::shared_ptr<Transport> recordingTransport(std::shared_ptr<Transport> next,
                                                            const std::string& file,
                                                            RecordingOptions options = {});

/// Options of replayingTransport().
struct ReplayingOptions {
  /// Accepts requests only in the recorded order, instead of in any order.
  bool strict = false;
};

std::ostream& operator<<(std::ostream& out, const ReplayingOptions& value);

/// A transport that responds as recorded, without a service. Requests are equal if method, path, query,
/// `Service-Account` and body are; keys, and values that are not recorded, don't count. Equal requests get
/// their responses in the recorded order, and then the last one again. A recorded failure is returned again.
/// A request that is not recorded fails with `Kind::forbidden` and a message that names the closest ones.
///
/// Throws std::runtime_error, with the name, the problem and its place, if the file is not HAR. Thread-safe;
/// the file must not change meanwhile.
[[nodiscard]] std::shared_ptr<Transport> replayingTransport(const std::string& file,
                                                            ReplayingOptions options = {});

}  // namespace tally
