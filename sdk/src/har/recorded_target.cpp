#include "har/recorded_target.h"

#include <algorithm>

#include "text/url.h"

namespace tally::detail {

std::string_view recordedTarget(std::string_view url) {
  url = url.substr(0, url.find('#'));
  if (url.find("://") < url.find_first_of("/?")) url.remove_prefix(endOfAuthority(url));
  const std::string_view path = url.substr(0, url.find('?'));
  const std::size_t version = std::min(path.find("/v1/"), path.find("/v2/"));
  if (version != std::string_view::npos) url.remove_prefix(version);
  return url.empty() ? "/" : url;
}

}  // namespace tally::detail
