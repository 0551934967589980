#pragma once

#include <string>
#include <vector>

#include <tally/transport.h>

#include "net/handler.h"
#include "record/upstream_connection.h"
#include "record/upstream_url.h"

namespace tally::fake::detail {

/// The headers with which a request is forwarded: all but those that concern one connection, and
/// `Accept-Encoding`, since a compressed body could not be searched for secrets.
[[nodiscard]] std::vector<Header> forwardedHeaders(const Incoming& incoming, const UpstreamUrl& upstream);

/// The URL at the upstream.
[[nodiscard]] std::string forwardedUrl(const Incoming& incoming, const UpstreamUrl& upstream);

/// The bytes of the request.
[[nodiscard]] UpstreamRequest forwarded(const Incoming& incoming, const std::vector<Header>& headers,
                                        const UpstreamUrl& upstream);

/// Removes the headers of a response that concern one connection. `bodiless`: the response is one to HEAD, or
/// has status 304, so that only `Content-Length` shows how long the body would be.
void removeConnectionHeaders(std::vector<Header>& headers, bool bodiless);

}  // namespace tally::fake::detail
