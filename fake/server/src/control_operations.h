#pragma once

#include <array>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/sent_request.h>

#include <boost/json/value.hpp>

#include "host.h"
#include "json_input.h"

namespace tally::fake::detail {

/// A call of an operation, with its inputs.
struct Call {
  Host& host;
  std::string key{};  // of the request
  Owner owner{};      // of the key; lacks a tenant only if the operation concerns no account
  std::string id{};   // the path segment that matches `*`
  JsonInput input;
  std::vector<SentParam> query{};
  std::stop_token stop{};  // requested once nobody waits for the result

  [[nodiscard]] Service& service() const { return owner.tenant->service; }
};

/// An operation of the control API.
struct ControlOperation {
  std::string_view method;
  std::string_view path;                       // after the prefix; `*` matches one segment
  boost::json::value (*carryOut)(Call& call);  // throws std::invalid_argument if the input is invalid
  bool aboutAccount = true;
  std::array<std::string_view, 8> query{};  // the names of its parameters; unused entries are empty
};

[[nodiscard]] std::span<const ControlOperation> controlTable();

}  // namespace tally::fake::detail
