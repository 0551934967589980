// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <tally/id.h>
#include <tally/json.h>
#include <tally/options.h>
#include <tally/pager.h>

namespace tally {

namespace detail {
class Core;
}

/// Stands for what the data product gives to read.
/// Assumed, see docs/assumptions.md: Data, reporting and tax endpoints.
struct DataExport {
  static constexpr std::string_view object = "data_export";

  Id<DataExport> id{};                 ///< Data export identifier.
  std::chrono::sys_seconds created{};  ///< When the data export was created.
  bool livemode{};                     ///< Live mode, or sandbox.
  UnknownFields unknownFields{};       ///< What the service sent beyond the fields above.

  bool operator==(const DataExport&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const DataExport& value);
};

/// Parameters of DataExports::list.
struct DataExportListParams {
  /// The most objects that a page holds. 1 to 100; 10 if not given.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Not together with `ending_before`.
  std::optional<Id<DataExport>> startingAfter{};
  /// Lists the objects before this one. Not together with `starting_after`.
  std::optional<Id<DataExport>> endingBefore{};

  friend std::ostream& operator<<(std::ostream& out, const DataExportListParams& value);
};

/// Data exports: lists them.
/// Thread-safe. Made by Client::dataExports().
class DataExports {
 public:
  explicit DataExports(std::shared_ptr<const detail::Core> core) : core_(std::move(core)) {}

  /// Lists data exports, newest first.
  /// Spec: "List operations".
  /// Assumed, see docs/assumptions.md: Data, reporting and tax endpoints.
  [[nodiscard]] Pager<DataExport> list(const DataExportListParams& params = {},
                                       const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::Core> core_;
};

}  // namespace tally
