// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/borrowed.h>
#include <tally/call.h>
#include <tally/files.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// The methods of Files as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::files().
class AsyncFiles {
 public:
  explicit AsyncFiles(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move operations: a move would leave the source without a client.
  AsyncFiles(const AsyncFiles&) = default;
  AsyncFiles& operator=(const AsyncFiles&) = default;
  ~AsyncFiles() = default;

  /// Creates a file without contents. See Files::create().
  [[nodiscard]] Call<File> create(const Borrowed<FileCreateParams>& params,
                                  const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Lists files, newest first. See Files::list().
  [[nodiscard]] AsyncPager<File> list(const Borrowed<FileListParams>& params = detail::defaulted,
                                      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Retrieves a file. See Files::retrieve().
  [[nodiscard]] Call<File> retrieve(const Id<File>& id,
                                    const Borrowed<RequestOptions>& options = detail::defaulted) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
