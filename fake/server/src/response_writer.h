#pragma once

#include <string>

#include <tally/transport.h>

namespace tally::fake::detail {

struct Framing {
  bool close = false;     // no further request is read from the connection
  bool bodiless = false;  // the answer to a HEAD: as if there were a body, but without it
};

/// An answer's bytes in HTTP/1.1. What headers of `response` say about its framing is left out: it is ours to
/// say.
[[nodiscard]] std::string write(const HttpResponse& response, const Framing& framing);

}  // namespace tally::fake::detail
