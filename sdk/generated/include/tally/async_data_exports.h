// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/borrowed.h>
#include <tally/data_exports.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// The methods of DataExports as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::dataExports().
class AsyncDataExports {
 public:
  explicit AsyncDataExports(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move operations: a move would leave the source without a client.
  AsyncDataExports(const AsyncDataExports&) = default;
  AsyncDataExports& operator=(const AsyncDataExports&) = default;
  ~AsyncDataExports() = default;

  /// Lists data exports, newest first. See DataExports::list().
  [[nodiscard]] AsyncPager<DataExport> list(
      const Borrowed<DataExportListParams>& params = detail::defaulted,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
