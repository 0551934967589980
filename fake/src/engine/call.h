#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tally/transport.h>

#include "engine/server.h"
#include "engine/visit.h"

namespace tally::fake::detail {

/// A request from a non-blocking sender, and its progress. Must not move, since its members refer to each
/// other.
struct Call {
  Call(const Server& server, HttpRequest sent, std::string_view method)
      : request(std::move(sent)), otherMethod(method), arrival(server.arrive(request, otherMethod)) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() = default;

  const HttpRequest request;
  const std::string otherMethod;
  const Arrival arrival;
  Visit visit{.arrival = arrival};
};

}  // namespace tally::fake::detail
