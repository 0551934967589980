// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/files.h>

#include "call/call.h"
#include "operations.h"
#include "pagination/pager_impl.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<File>::value;

Result<File> Files::create(const FileCreateParams& params, const RequestOptions& options) const {
  return detail::call(*core_, detail::filesCreate, {}, params, options);
}

Pager<File> Files::list(const FileListParams& params, const RequestOptions& options) const {
  return detail::walkPages(core_, detail::filesList, params, options);
}

Result<File> Files::retrieve(const Id<File>& id, const RequestOptions& options) const {
  return detail::call(*core_, detail::filesRetrieve, id.str(), options);
}

template class Pager<File>;
template class Pages<File>;
template std::ostream& operator<<(std::ostream& out, const Page<File>& value);

}  // namespace tally
