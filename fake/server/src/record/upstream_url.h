#pragma once

#include <string>
#include <string_view>

namespace tally::fake::detail {

/// Where requests are forwarded to.
struct UpstreamUrl {
  bool secure = false;
  std::string host{};  // without brackets
  std::string port{};
  std::string authority{};  // for `Host`
  std::string path{};       // before the path of each request; without a slash at its end

  [[nodiscard]] std::string origin() const { return (secure ? "https://" : "http://") + authority; }
};

/// Throws std::invalid_argument, with the problem and the fix, if it is no URL of a server.
[[nodiscard]] UpstreamUrl parseUpstream(std::string_view url);

}  // namespace tally::fake::detail
