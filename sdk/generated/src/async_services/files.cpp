// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_files.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "operations.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<File>::value;

static_assert(std::is_trivially_destructible_v<Borrowed<FileCreateParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<FileListParams>>);

Call<File> AsyncFiles::create(const Borrowed<FileCreateParams>& params,
                              const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::filesCreate, {}, params, options);
}

AsyncPager<File> AsyncFiles::list(const Borrowed<FileListParams>& params,
                                  const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::filesList, params, options);
}

Call<File> AsyncFiles::retrieve(const Id<File>& id, const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::filesRetrieve, id.str(), options);
}

template class AsyncPager<File>;

}  // namespace tally
