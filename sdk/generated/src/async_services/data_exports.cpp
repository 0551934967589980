// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_data_exports.h>

#include "async/async_pager_impl.h"
#include "operations.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<DataExport>::value;

static_assert(std::is_trivially_destructible_v<Borrowed<DataExportListParams>>);

AsyncPager<DataExport> AsyncDataExports::list(const Borrowed<DataExportListParams>& params,
                                              const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::dataExportsList, params, options);
}

template class AsyncPager<DataExport>;

}  // namespace tally
