#include "request/request_head.h"

#include "text/ascii.h"
#include "text/base64.h"
#include "text/call_mark.h"
#include "text/url.h"
#include "wire.h"

namespace tally::fake::detail {

using tally::detail::endOfAuthority;
using tally::detail::equalIgnoringCase;
using tally::detail::firstDelimiter;

namespace {

constexpr std::string_view beforeAuthority = "://";

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

std::string basicKey(std::string_view credentials) {
  std::optional<std::string> pair = tally::detail::decodeBase64(credentials);
  if (!pair || !pair->ends_with(':')) return {};
  pair->pop_back();
  return *std::move(pair);
}

/// Whether the sender seems to expect that the header, such as `Stripe-Account: acct_1`, does what ours does.
bool isForeignAccount(const Header& header) {
  using tally::detail::header::connectedAccount;
  constexpr std::string_view ending = connectedAccount.substr(connectedAccount.rfind('-'));
  const std::string_view name = header.name;
  return header.value.starts_with("acct_") && name.size() >= ending.size() &&
         equalIgnoringCase(name.substr(name.size() - ending.size()), ending) &&
         !equalIgnoringCase(name, connectedAccount);
}

}  // namespace

std::string_view authorityOf(std::string_view url) {
  const std::size_t scheme = url.find(beforeAuthority);
  if (scheme == std::string_view::npos || scheme >= firstDelimiter(url)) return {};
  const std::size_t begin = scheme + beforeAuthority.size();
  return url.substr(begin, endOfAuthority(url) - begin);
}

Target targetOf(std::string_view url) {
  if (const std::string_view authority = authorityOf(url); authority.data() != nullptr)
    url.remove_prefix(static_cast<std::size_t>(authority.data() + authority.size() - url.data()));
  url = url.substr(0, url.find('#'));
  const std::size_t question = url.find('?');
  if (question == std::string_view::npos) return {.path = url};
  return {.path = url.substr(0, question), .query = url.substr(question + 1)};
}

RequestHead headOf(const HttpRequest& request) {
  RequestHead head;
  const auto take = [](const Header& header, std::string_view name, const std::string*& place) {
    if (place == nullptr && equalIgnoringCase(header.name, name)) place = &header.value;
  };
  for (const Header& header : request.headers) {
    take(header, "Authorization", head.authorization);
    take(header, tally::detail::header::connectedAccount, head.connectedAccount);
    take(header, "Content-Type", head.contentType);
    take(header, tally::detail::callHeader, head.call);
    if (isForeignAccount(header)) head.foreignAccount = &header;
  }
  return head;
}

std::optional<std::string> keyOf(std::string_view authorization) {
  authorization = trimmed(authorization);
  const std::string_view scheme = authorization.substr(0, authorization.find(' '));
  const std::string_view credentials = trimmed(authorization.substr(scheme.size()));
  if (credentials.empty()) return std::nullopt;
  if (equalIgnoringCase(scheme, "Bearer")) return std::string{credentials};
  if (equalIgnoringCase(scheme, "Basic")) return basicKey(credentials);
  return std::nullopt;
}

}  // namespace tally::fake::detail
