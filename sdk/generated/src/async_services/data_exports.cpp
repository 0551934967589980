// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_data_exports.h>

#include "async/async_pager_impl.h"
#include "operations.h"

namespace tally {

template <>
const detail::Struct detail::Schema<DataExport>::value;

namespace {

static_assert(std::is_trivially_destructible_v<DataExportListArgs>);
DataExportListParams own(const DataExportListArgs& args) {
  return {
      .limit = detail::own(args.limit),
      .startingAfter = detail::own(args.startingAfter),
      .endingBefore = detail::own(args.endingBefore),
  };
}

}  // namespace

AsyncPager<DataExport> AsyncDataExports::list(const DataExportListArgs& args,
                                              const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::dataExportsList, own(args), options);
}

template class AsyncPager<DataExport>;

}  // namespace tally
