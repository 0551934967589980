// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_files.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "operations.h"

namespace tally {

template <>
const detail::Struct detail::Schema<File>::value;

namespace {

static_assert(std::is_trivially_destructible_v<FileCreateArgs>);
FileCreateParams own(const FileCreateArgs& args) {
  return {
      .purpose = detail::own(args.purpose),
      .filename = detail::own(args.filename),
  };
}

static_assert(std::is_trivially_destructible_v<FileListArgs>);
FileListParams own(const FileListArgs& args) {
  return {
      .limit = detail::own(args.limit),
      .startingAfter = detail::own(args.startingAfter),
      .endingBefore = detail::own(args.endingBefore),
  };
}

}  // namespace

Call<File> AsyncFiles::create(const FileCreateArgs& args, const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::filesCreate, {}, own(args), options);
}

AsyncPager<File> AsyncFiles::list(const FileListArgs& args, const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::filesList, own(args), options);
}

Call<File> AsyncFiles::retrieve(const Id<File>& id, const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::filesRetrieve, id.str(), options);
}

template class AsyncPager<File>;

}  // namespace tally
