#pragma once

#include <tally/detail/cpp20.h>

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include <tally/log_observer.h>
#include <tally/transport.h>

// A log of requests and responses with their bodies, but without keys and card data.

namespace [[gnu::visibility("default")]] tally {

/// Options of wireLog().
struct WireLogOptions {
  /// The names of additional fields whose values are replaced, such as `metadata` or `description`. The names
  /// apply to forms, queries and JSON, at any depth; case, `_` and `-` are ignored. An object or a list is
  /// replaced as a whole.
  std::vector<std::string> redact{};
  /// How much of a body is logged, in bytes; 0 logs no body. Bodies of more than 1 MiB appear as their size.
  std::size_t maxBodyBytes = 4'096;
};

std::ostream& operator<<(std::ostream& out, const WireLogOptions& value);

/// A transport that sends through `next`. It logs a line for each request, and a line for its response or
/// failure. Both lines begin with the number of the request:
///
///     #7 > POST https://api.example.com/v1/payouts [Authorization: [redacted], …] amount=500&currency=eur
///     #7 < 200 [Content-Type: application/json, Request-Id: req_1] {"id":"po_1",…}
///
/// `[redacted]` replaces
///
///   - the values of headers, except those of a fixed list of harmless ones, such as `Content-Type`,
///     `Request-Id` and `traceparent`;
///   - the values of fields whose names suggest a key, a token, a password, card data or a bank account, and
///     of the fields that WireLogOptions::redact names;
///   - everywhere else, including error messages: the contents of these headers and fields, text that has the
///     form of a secret API key or follows `Bearer` or `Basic`, and digits that form a card number according
///     to their check digit.
///
/// From 1,000 different such contents on, it replaces all text of the request and its response.
///
/// In a body that is neither JSON nor a form, only what the last item describes is replaced. Malformed JSON
/// appears as its size. Metadata, descriptions and other personal data are logged unless
/// WireLogOptions::redact names them. Line breaks in what is sent or received are escaped, so an entry is
/// always one line.
///
/// Thread-safe. Asynchronous calls remain asynchronous: the transport logs in the thread of the AsyncClient.
/// Lines never interleave. `sink` is called under a lock, so it must not make calls with a client whose
/// requests it logs. If it throws, the line is lost.
[[nodiscard]] std::shared_ptr<Transport> wireLog(std::shared_ptr<Transport> next, LogSink sink,
                                                 WireLogOptions options = {});

/// The same for a stream, which is not owned and not flushed. It must outlive the clients, and nothing else
/// may write to it at the same time.
[[nodiscard]] std::shared_ptr<Transport> wireLog(std::shared_ptr<Transport> next, std::ostream& out,
                                                 WireLogOptions options = {});

}  // namespace tally
