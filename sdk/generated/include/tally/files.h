// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tally/id.h>
#include <tally/json.h>
#include <tally/options.h>
#include <tally/pager.h>
#include <tally/result.h>

namespace tally {

namespace detail {
class Core;
}

/// A file of which only the name and the purpose are kept.
/// Spec: "Limits".
/// Assumed, see docs/assumptions.md: Operations and fields of resources that the document only names.
/// Assumed, see docs/assumptions.md: Contents of files.
struct File {
  static constexpr std::string_view object = "file";

  Id<File> id{};                       ///< File identifier.
  std::string purpose{};               ///< What it is for.
  std::string filename{};              ///< What it is called.
  std::chrono::sys_seconds created{};  ///< When the file was created.
  bool livemode{};                     ///< Live mode, or sandbox.
  UnknownFields unknownFields{};       ///< What the service sent beyond the fields above.

  bool operator==(const File&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const File& value);
};

/// Parameters of Files::create.
struct FileCreateParams {
  std::optional<std::string> purpose{};   ///< Required. What it is for.
  std::optional<std::string> filename{};  ///< Required. What it is called.

  friend std::ostream& operator<<(std::ostream& out, const FileCreateParams& value);
};

/// Parameters of Files::list.
struct FileListParams {
  /// The most objects that a page holds. 1 to 100; 10 if not given.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Not together with `ending_before`.
  std::optional<Id<File>> startingAfter{};
  /// Lists the objects before this one. Not together with `starting_after`.
  std::optional<Id<File>> endingBefore{};

  friend std::ostream& operator<<(std::ostream& out, const FileListParams& value);
};

/// Files: makes and lists them.
/// Thread-safe. Made by Client::files().
class Files {
 public:
  explicit Files(std::shared_ptr<const detail::Core> core) : core_(std::move(core)) {}

  /// Creates a file, without contents.
  /// Spec: "Limits".
  /// Assumed, see docs/assumptions.md: Operations and fields of resources that the document only names.
  /// Assumed, see docs/assumptions.md: Contents of files.
  [[nodiscard]] Result<File> create(const FileCreateParams& params, const RequestOptions& options = {}) const;

  /// Lists files, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<File> list(const FileListParams& params = {}, const RequestOptions& options = {}) const;

  /// Retrieves a file.
  /// Assumed, see docs/assumptions.md: Retrieve.
  [[nodiscard]] Result<File> retrieve(const Id<File>& id, const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::Core> core_;
};

}  // namespace tally
