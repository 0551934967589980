// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/call_options.h>
#include <tally/data_exports.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// Arguments of AsyncDataExports::list.
struct DataExportListArgs {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  IdArg<DataExport> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  IdArg<DataExport> endingBefore{};
};

/// The methods of DataExports as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::dataExports().
class AsyncDataExports {
 public:
  explicit AsyncDataExports(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move, which would leave it without a client.
  AsyncDataExports(const AsyncDataExports&) = default;
  AsyncDataExports& operator=(const AsyncDataExports&) = default;
  ~AsyncDataExports() = default;

  /// Lists data exports, newest first. See DataExports::list().
  [[nodiscard]] AsyncPager<DataExport> list(const DataExportListArgs& args = {},
                                            const CallOptions& options = {}) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
