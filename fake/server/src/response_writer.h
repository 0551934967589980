#pragma once

#include <string>

#include <tally/transport.h>

namespace tally::fake::detail {

struct Framing {
  bool close = false;     // the connection closes after this response
  bool bodiless = false;  // for HEAD: keeps the headers and omits the body
};

/// Serializes a response in HTTP/1.1. Replaces the framing headers of `response` by its own.
[[nodiscard]] std::string write(const HttpResponse& response, const Framing& framing);

}  // namespace tally::fake::detail
