// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tally/borrowed.h>
#include <tally/id.h>
#include <tally/integer.h>
#include <tally/json.h>
#include <tally/last_response.h>
#include <tally/options.h>
#include <tally/pager.h>
#include <tally/result.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class ClientCore;
}

/// The name and the purpose of a file, without its contents.
/// Spec: "Limits".
/// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
/// Assumed (not specified): Contents of files.
struct File {
  static constexpr std::string_view object = "file";

  Id<File> id{};                       ///< File identifier.
  std::string purpose{};               ///< What the file is for.
  std::string filename{};              ///< The name of the file.
  std::chrono::sys_seconds created{};  ///< When the file was created.
  bool livemode{};                     ///< True in live mode, false in the sandbox.
  UnknownFields unknownFields{};       ///< Other fields that the service sent.
  LastResponse lastResponse{};         ///< The response that contained the object.

  bool operator==(const File&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const File& value);
};

/// Parameters of Files::create.
template <class O>
struct BasicFileCreateParams {
  Held<O, std::optional<std::string>> purpose{};   ///< Required. What the file is for.
  Held<O, std::optional<std::string>> filename{};  ///< Required. The name of the file.

  operator BasicFileCreateParams<detail::OppositeOf<O>>() const&;
  operator BasicFileCreateParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using FileCreateParams = BasicFileCreateParams<Owning>;
std::ostream& operator<<(std::ostream& out, const FileCreateParams& value);

/// Parameters of Files::list.
template <class O>
struct BasicFileListParams {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  Held<O, std::optional<Id<File>>> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  Held<O, std::optional<Id<File>>> endingBefore{};

  operator BasicFileListParams<detail::OppositeOf<O>>() const&;
  operator BasicFileListParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using FileListParams = BasicFileListParams<Owning>;
std::ostream& operator<<(std::ostream& out, const FileListParams& value);

/// Creates, retrieves and lists files.
/// Thread-safe; may outlive its Client. Made by Client::files().
class Files {
 public:
  explicit Files(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}
  // No move operations: a move would leave the source without a client.
  Files(const Files&) = default;
  Files& operator=(const Files&) = default;
  ~Files() = default;

  /// Creates a file without contents.
  /// Spec: "Limits".
  /// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
  /// Assumed (not specified): Contents of files.
  [[nodiscard]] Result<File> create(const FileCreateParams& params, const RequestOptions& options = {}) const;

  /// Lists files, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<File> list(const FileListParams& params = {}, const RequestOptions& options = {}) const;

  /// Retrieves a file.
  /// Assumed (not specified): The retrieve operation.
  [[nodiscard]] Result<File> retrieve(const Id<File>& id, const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
