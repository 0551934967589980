// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <tally/borrowed.h>
#include <tally/id.h>
#include <tally/integer.h>
#include <tally/json.h>
#include <tally/last_response.h>
#include <tally/options.h>
#include <tally/pager.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class ClientCore;
}

/// A placeholder for the resources of the data product.
/// Assumed (not specified): Data, reporting and tax endpoints.
struct DataExport {
  static constexpr std::string_view object = "data_export";

  Id<DataExport> id{};                 ///< Data export identifier.
  std::chrono::sys_seconds created{};  ///< When the data export was created.
  bool livemode{};                     ///< True in live mode, false in the sandbox.
  UnknownFields unknownFields{};       ///< Other fields that the service sent.
  LastResponse lastResponse{};         ///< The response that contained the object.

  bool operator==(const DataExport&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const DataExport& value);
};

/// Parameters of DataExports::list.
template <class O>
struct BasicDataExportListParams {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  Held<O, std::optional<Id<DataExport>>> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  Held<O, std::optional<Id<DataExport>>> endingBefore{};

  operator BasicDataExportListParams<detail::OppositeOf<O>>() const&;
  operator BasicDataExportListParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using DataExportListParams = BasicDataExportListParams<Owning>;
std::ostream& operator<<(std::ostream& out, const DataExportListParams& value);

/// Lists data exports.
/// Thread-safe; may outlive its Client. Made by Client::dataExports().
class DataExports {
 public:
  explicit DataExports(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}
  // No move operations: a move would leave the source without a client.
  DataExports(const DataExports&) = default;
  DataExports& operator=(const DataExports&) = default;
  ~DataExports() = default;

  /// Lists data exports, newest first.
  /// Spec: "List operations".
  /// Assumed (not specified): Data, reporting and tax endpoints.
  [[nodiscard]] Pager<DataExport> list(const DataExportListParams& params = {},
                                       const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
