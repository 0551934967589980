#pragma once

#include <array>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/sent.h>

#include <boost/json/value.hpp>

#include "host.h"
#include "json_input.h"

namespace tally::fake::detail {

/// An operation that was asked for, with what it is given.
struct Call {
  Host& host;
  std::string key{};  // of the request
  Owner owner{};      // of the key; without a tenant where the operation is about no account
  std::string id{};   // the segment of the path that stands for `*`
  JsonInput input;
  std::vector<SentParam> query{};
  std::stop_token stop{};  // nobody is there any more to take what it tells

  [[nodiscard]] Service& service() const { return owner.tenant->service; }
};

/// What one can ask for under `/_fake/`.
struct ControlOperation {
  std::string_view method;
  std::string_view path;                       // after the prefix; `*` stands for one segment
  boost::json::value (*carryOut)(Call& call);  // throws std::invalid_argument for what it is given
  bool aboutAccount = true;
  std::array<std::string_view, 2> query{};  // the names of its parameters; empty ones are none
};

[[nodiscard]] std::span<const ControlOperation> controlTable();

}  // namespace tally::fake::detail
