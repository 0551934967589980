#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <tally/fake/sent_request.h>
#include <tally/fake/text_pattern.h>
#include <tally/transport.h>

namespace tally::fake::detail {

/// The groups of named values in a request.
enum class Part : std::uint8_t { param, metadata, header };

/// The named values of a request. Decodes the parameters when they are first needed, since most patterns
/// don't.
class RequestParts {
 public:
  /// `request` must outlive this.
  explicit RequestParts(const HttpRequest& request) : request_(&request) {}

  /// Valid as long as this and the request.
  [[nodiscard]] std::vector<std::string_view> values(Part part, std::string_view name);

  [[nodiscard]] const std::vector<SentParam>& params();

  [[nodiscard]] bool match(Part part, const NamedPattern& pattern);
  [[nodiscard]] bool match(Part part, std::span<const NamedPattern> patterns);

 private:
  const HttpRequest* request_;
  std::optional<std::vector<SentParam>> params_{};
};

/// The pattern of a header or a parameter for people: the key in a pattern is as secret as the one in the
/// request.
[[nodiscard]] TextPattern shownPattern(const NamedPattern& pattern);

}  // namespace tally::fake::detail
