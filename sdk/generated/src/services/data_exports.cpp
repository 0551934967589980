// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/data_exports.h>

#include "call/call.h"
#include "operations.h"
#include "pagination/pager_impl.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<DataExport>::value;

Pager<DataExport> DataExports::list(const DataExportListParams& params, const RequestOptions& options) const {
  return detail::walkPages(core_, detail::dataExportsList, params, options);
}

template class Pager<DataExport>;
template class Pages<DataExport>;
template std::ostream& operator<<(std::ostream& out, const Page<DataExport>& value);

}  // namespace tally
