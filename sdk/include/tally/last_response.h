#pragma once

#include <tally/detail/cpp20.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tally/transport.h>

namespace [[gnu::visibility("default")]] tally {

/// The response from which a call made an object or a page. Use it for support requests, for logs, and to
/// read headers that tally does not model. Every object that a call returns has a LastResponse, and so does
/// every Page. In a loop over a list or a search, each object has the LastResponse of its page. Objects in
/// Page::data, and objects that the application makes, have an empty one.
///
/// Cheap to copy: copies share immutable contents. Comparing objects does not compare their responses: two
/// LastResponses are always equal.
class LastResponse {
 public:
  LastResponse() = default;
  LastResponse(int status, std::vector<Header> headers);

  /// The HTTP status; 0 if there is no response.
  [[nodiscard]] int status() const noexcept;
  /// `Request-Id`; empty if there is none.
  [[nodiscard]] std::string_view requestId() const noexcept;
  /// The headers in the order received, unchanged even if one repeats the API key; empty if there is no
  /// response.
  [[nodiscard]] const std::vector<Header>& headers() const noexcept;
  /// The value of the first header with that name, ignoring case; null if there is none. Valid as long as
  /// this object or a copy of it exists.
  [[nodiscard]] const std::string* header(std::string_view name) const noexcept;

  friend bool operator==(const LastResponse&, const LastResponse&) noexcept { return true; }
  /// Prints only the status, because headers may contain secrets.
  friend std::ostream& operator<<(std::ostream& out, const LastResponse& response);

 private:
  std::shared_ptr<const HttpResponse> response_{};  // without its body
};

}  // namespace tally
