#include <tally/call_options.h>

namespace tally {

static_assert(std::is_trivially_destructible_v<CallOptions>);
static_assert(std::is_trivially_destructible_v<MetadataArg>);
static_assert(std::is_trivially_destructible_v<TextsArg>);

std::vector<std::string> TextsArg::texts() const {
  return list_ != nullptr ? *list_ : std::vector<std::string>{texts_, texts_ + count_};
}

MetadataEdit MetadataArg::edit() const {
  if (edit_ != nullptr) return *edit_;
  if (map_ != nullptr) return *map_;
  MetadataEdit edit;
  for (const Pair& pair : std::span{pairs_, count_})
    edit.set(pair.key, pair.value);
  return edit;
}

CallOptions CallOptions::of(const RequestOptions& options) {
  CallOptions view{.timeout = options.timeout,
                   .maxNetworkRetries = options.maxNetworkRetries,
                   .retryRateLimited = options.retryRateLimited,
                   .totalTimeout = options.totalTimeout,
                   .deadline = options.deadline,
                   .stop = options.stop,
                   .headers = options.headers,
                   .extraParams = options.extraParams,
                   .attempts = options.attempts};
  if (options.apiKey) view.apiKey = options.apiKey->reveal();
  if (options.connectedAccount) view.connectedAccount = *options.connectedAccount;
  return view;
}

namespace detail {

RequestOptions own(const CallOptions& options) {
  return {.apiKey = options.apiKey,
          .connectedAccount = own(options.connectedAccount),
          .timeout = options.timeout,
          .maxNetworkRetries = options.maxNetworkRetries,
          .retryRateLimited = options.retryRateLimited,
          .totalTimeout = options.totalTimeout,
          .deadline = options.deadline,
          .stop = options.stop.token(),
          .headers = {options.headers.begin(), options.headers.end()},
          .extraParams = {options.extraParams.begin(), options.extraParams.end()},
          .attempts = options.attempts};
}

}  // namespace detail

}  // namespace tally
