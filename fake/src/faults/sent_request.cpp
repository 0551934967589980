#include <algorithm>
#include <string_view>
#include <utility>

#include <tally/fake/sent_request.h>

#include "request/request_head.h"
#include "request/request_params.h"
#include "text/url.h"

namespace tally::fake {

namespace {

std::string decoded(std::string_view text) {
  return tally::detail::formDecode(text).value_or(std::string{text});
}

void addParams(std::vector<SentParam>& params, std::string_view form) {
  while (!form.empty()) {
    const std::string_view pair = form.substr(0, form.find('&'));
    form.remove_prefix(std::min(pair.size() + 1, form.size()));
    const std::string_view name = pair.substr(0, pair.find('='));
    const std::string_view value = pair.substr(std::min(name.size() + 1, pair.size()));
    if (!pair.empty()) params.push_back({decoded(name), decoded(value)});
  }
}

}  // namespace

std::vector<SentParam> sentParams(const HttpRequest& request) {
  std::vector<SentParam> params;
  addParams(params, detail::targetOf(request.url).query);
  if (detail::isForm(detail::headOf(request).contentType)) addParams(params, request.body);
  return params;
}

std::string sentPath(const HttpRequest& request) {
  return std::string{detail::targetOf(request.url).path};
}

}  // namespace tally::fake
