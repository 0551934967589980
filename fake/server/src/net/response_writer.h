#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tally/transport.h>

namespace tally::fake::detail {

struct Framing {
  bool close = false;     // the connection closes after this response
  bool bodiless = false;  // for HEAD: keeps the headers and omits the body
};

/// Serializes a response in HTTP/1.1. Replaces the framing headers of `response` by its own.
[[nodiscard]] std::string write(const HttpResponse& response, const Framing& framing);

/// The head of a response whose body follows in chunks, or, for HTTP/1.0, until the connection closes, as it
/// does after each such response.
[[nodiscard]] std::string writeStreamHead(const HttpResponse& response, bool chunked);

/// A chunk with these bytes; no bytes make the chunk that ends a body.
[[nodiscard]] std::string asChunk(std::string_view bytes);

}  // namespace tally::fake::detail
