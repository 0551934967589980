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

// Transports that record requests in HAR 1.2, and transports that replay recorded responses. The recordings
// have the same format as those that `tally-fake record` writes, and `replay` and `compare` read. Browsers
// and other tools can read them, too.

namespace [[gnu::visibility("default")]] tally {

/// Options of recordingTransport().
struct RecordingOptions {
  /// The names of additional fields whose values are not recorded: see WireLogOptions::redact.
  std::vector<std::string> redact{};
  /// The clock for the times in the recording. Null: systemClock().
  std::shared_ptr<Clock> clock{};
  /// Called once, with the problem, if recording can't continue, for example because the disk is full.
  /// Requests are then sent without being recorded.
  std::function<void(std::string_view problem)> onProblem{};
};

std::ostream& operator<<(std::ostream& out, const RecordingOptions& value);

/// A transport that sends through `next`. It creates `file`, and records each request in it, with the
/// response or failure, before the call continues. The file is complete after each request. If the process is
/// killed while it records a request, the file may end inside that request, and replayingTransport() leaves
/// it out.
///
/// Keys and tokens are replaced by names such as `sk_test_recorded1`; each has the same name throughout the
/// recording. `[redacted]` replaces the same values as in wireLog(), except that, among headers, only those
/// with credentials are redacted.
///
/// Throws std::runtime_error, with the name of the file and the problem, if the file already exists or can't
/// be created. Thread-safe; asynchronous calls remain asynchronous.
[[nodiscard]] std::shared_ptr<Transport> recordingTransport(std::shared_ptr<Transport> next,
                                                            const std::string& file,
                                                            RecordingOptions options = {});

/// Options of replayingTransport().
struct ReplayingOptions {
  /// Accepts requests only in the recorded order, instead of in any order.
  bool strict = false;
};

std::ostream& operator<<(std::ostream& out, const ReplayingOptions& value);

/// A transport that returns the recorded responses, without a service. Requests are equal if their methods,
/// paths, queries, `Service-Account` headers and bodies are equal; keys, and values that were not recorded,
/// are ignored. Equal requests get their responses in the recorded order; after that, the last response is
/// repeated. A recorded failure is returned as a failure. A request that was not recorded fails with
/// `Kind::forbidden` and a message that names the closest recorded requests.
///
/// Throws std::runtime_error, with the name of the file, the problem and its place, if the file is not HAR.
/// Thread-safe. The file must not change while the transport exists.
[[nodiscard]] std::shared_ptr<Transport> replayingTransport(const std::string& file,
                                                            ReplayingOptions options = {});

}  // namespace tally
