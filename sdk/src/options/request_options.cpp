#include <type_traits>

#include <tally/borrowed.h>
#include <tally/options.h>

namespace [[gnu::visibility("default")]] tally {

static_assert(std::is_trivially_destructible_v<Borrowed<RequestOptions>>);

template <class O>
BasicRequestOptions<O>::operator BasicRequestOptions<detail::OppositeOf<O>>() const& {
  return {.apiKey = apiKey,
          .connectedAccount = connectedAccount,
          .timeout = timeout,
          .maxNetworkRetries = maxNetworkRetries,
          .retryRateLimited = retryRateLimited,
          .retryPolicy = retryPolicy,
          .totalTimeout = totalTimeout,
          .deadline = deadline,
          .stop = stop,
          .headers = headers,
          .extraParams = extraParams,
          .attempts = attempts};
}
template struct BasicRequestOptions<Owning>;
template struct BasicRequestOptions<Borrowing>;

}  // namespace tally
