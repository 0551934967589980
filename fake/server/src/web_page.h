#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <tally/transport.h>

namespace tally::fake::detail {

/// A file of the web page, as it is in fake/server.
struct WebFile {
  std::string_view name;
  std::string_view content;
};

/// All files; web/embed.cmake writes them.
extern const std::span<const WebFile> webFiles;

/// The response to a request for a file of the web page; nothing for any other `path`, which is the part
/// after
/// `/_fake/`. The page itself has an empty path. No key is needed.
[[nodiscard]] std::optional<HttpResponse> webPage(std::string_view method, std::string_view path);

}  // namespace tally::fake::detail
