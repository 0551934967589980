#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <boost/beast/core/error.hpp>

#include "net/request_parser.h"

namespace tally::test {

/// The result of parsing one sender's bytes: the requests, and whether the rest was refused.
struct RequestReading {
  std::vector<fake::detail::Incoming> requests{};
  bool refused = false;
  std::size_t waiting = 0;      // bytes buffered until more arrive
  std::size_t mostWaiting = 0;  // of these at any time
};

struct RequestSizes {
  std::size_t header = 0;
  std::size_t body = 0;
};

/// Parses like a connection, with a new parser for each request. `next` returns the sizes of the pieces in
/// which the bytes arrive. Throws std::logic_error if the parser takes more bytes than it is given.
template <class Next>
RequestReading readInPieces(std::string_view bytes, RequestSizes limits, const Next& next) {
  RequestReading reading;
  std::optional<fake::detail::RequestParser> parser{std::in_place, limits.header, limits.body};
  std::string buffer;
  while (!bytes.empty() && !reading.refused) {
    const std::size_t size = std::min<std::size_t>(next(), bytes.size());
    buffer += bytes.substr(0, size);
    bytes.remove_prefix(size);
    for (bool again = true; again;) {
      boost::beast::error_code error;
      const std::size_t taken = parser->read(buffer, error);
      if (taken > buffer.size()) throw std::logic_error{"the parser took more than there is"};
      buffer.erase(0, taken);
      reading.refused = error.failed();
      again = !error && parser->is_done();
      if (!again) continue;
      reading.requests.push_back(parser->take());
      parser.emplace(limits.header, limits.body);
    }
    if (!reading.refused) reading.mostWaiting = std::max(reading.mostWaiting, buffer.size());
  }
  reading.waiting = buffer.size();
  return reading;
}

}  // namespace tally::test
