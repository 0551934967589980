// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/call.h>
#include <tally/call_options.h>
#include <tally/files.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// Arguments of AsyncFiles::create.
struct FileCreateArgs {
  std::optional<std::string_view> purpose{};   ///< Required. What the file is for.
  std::optional<std::string_view> filename{};  ///< Required. The name of the file.
};

/// Arguments of AsyncFiles::list.
struct FileListArgs {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  IdArg<File> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  IdArg<File> endingBefore{};
};

/// The methods of Files as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::files().
class AsyncFiles {
 public:
  explicit AsyncFiles(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move, which would leave it without a client.
  AsyncFiles(const AsyncFiles&) = default;
  AsyncFiles& operator=(const AsyncFiles&) = default;
  ~AsyncFiles() = default;

  /// Creates a file without contents. See Files::create().
  [[nodiscard]] Call<File> create(const FileCreateArgs& args, const CallOptions& options = {}) const;

  /// Lists files, newest first. See Files::list().
  [[nodiscard]] AsyncPager<File> list(const FileListArgs& args = {}, const CallOptions& options = {}) const;

  /// Retrieves a file. See Files::retrieve().
  [[nodiscard]] Call<File> retrieve(const Id<File>& id, const CallOptions& options = {}) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
