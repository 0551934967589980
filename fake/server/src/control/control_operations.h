#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/sent_request.h>
#include <tally/stop_token.h>

#include <boost/json/value.hpp>

#include "format/json_input.h"
#include "tenants/host.h"

namespace tally::fake::detail {

/// A call of an operation, with its inputs.
struct ControlCall {
  Host& host;
  std::string key{};  // of the request
  Owner owner{};      // of the key; lacks a tenant only if the operation concerns no account
  std::string id{};   // the path segment that matches `*`, decoded
  JsonInput input;
  std::vector<SentParam> query{};
  StopToken stop{};  // requested once nobody waits for the result
  const HttpRequest* request = nullptr;

  [[nodiscard]] Service& service() const { return owner.tenant->service; }
};

/// An operation of the control API.
struct ControlOperation {
  std::string_view method;
  std::string_view path;  // after the prefix; `*` matches one segment
  // Throws std::invalid_argument if the input is invalid.
  boost::json::value (*carryOut)(ControlCall& call) = nullptr;
  bool aboutAccount = true;
  std::array<std::string_view, 16> query{};  // the names of its parameters; unused entries are empty
  Reply (*respond)(ControlCall& call) =
      nullptr;  // instead of carryOut, for a response that is not a small JSON
};

inline constexpr std::string_view jsonType = "application/json";

/// What concerns accounts, and what concerns the server.
[[nodiscard]] std::span<const ControlOperation> controlTable();
[[nodiscard]] std::span<const ControlOperation> serverTable();

/// A query parameter that is true or false; nothing if it is absent or empty. Throws BadInput for others.
[[nodiscard]] std::optional<bool> flagIn(const ControlCall& call, std::string_view name);

/// A numeric query parameter; nothing if it is absent. Throws BadInput if it is no number from `least` on.
[[nodiscard]] std::optional<std::uint64_t> numberIn(const ControlCall& call, std::string_view name,
                                                    std::uint64_t least);

}  // namespace tally::fake::detail
