// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/call.h>
#include <tally/call_options.h>
#include <tally/widgets.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// Arguments of AsyncWidgets::create.
struct WidgetCreateArgs {
  std::optional<std::string_view> name{};             ///< Required. What it is called.
  const Amount* price{};                              ///< Required. What it costs.
  std::optional<OpenEnumArg<WidgetColour>> colour{};  ///< How it is painted.
  std::optional<Timestamp> madeAt{};                  ///< When it was made.
  std::optional<std::int64_t> teeth{};                ///< How many teeth it has. 3 to 99; default 12.
  std::optional<bool> hollow{};                       ///< Whether there is nothing inside.
  IdArg<Gadget> gadget{};                             ///< The gadget that it belongs to.
  TextsArg labels{};                                  ///< Words to find it by.
  const WidgetSize* size{};                           ///< How big it is.
  const std::vector<WidgetPart>* parts{};
  const WidgetCreateParamsPacking* packing{};  ///< How it is packed.
  MetadataArg metadata{};                      ///< Sets or unsets keys, or unsets all keys.
};

/// Arguments of AsyncWidgets::list.
struct WidgetListArgs {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  IdArg<Widget> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  IdArg<Widget> endingBefore{};
  /// Only widgets of this colour.
  std::optional<OpenEnumArg<WidgetColour>> colour{};
};

/// Arguments of AsyncWidgets::search.
struct WidgetSearchArgs {
  /// Required. The search query.
  std::optional<std::string_view> query{};
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// The `next_page` of the previous page; omitted for the first page.
  std::optional<std::string_view> page{};
  /// The fields to expand: `total_count`.
  TextsArg expand{};
};

/// Arguments of AsyncWidgets::update.
struct WidgetUpdateArgs {
  std::optional<std::string_view> name{};             ///< What it is called.
  std::optional<OpenEnumArg<WidgetColour>> colour{};  ///< How it is painted.
  MetadataArg metadata{};                             ///< Sets or unsets keys, or unsets all keys.
};

/// Arguments of AsyncWidgets::redraw.
struct WidgetRedrawArgs {
  const RawJson* blueprint{};              ///< Required. Anything at all.
  std::optional<std::string_view> name{};  ///< What it is called.
  TextsArg labels{};                       ///< Words to find it by.
  IdArg<Gadget> gadget{};                  ///< The gadget that it belongs to.
  MetadataArg metadata{};                  ///< Sets or unsets keys, or unsets all keys.
};

/// Arguments of AsyncWidgets::reportSwitchedOnAndRunningAtFullSpeed.
struct WidgetReportSwitchedOnAndRunningAtFullSpeedArgs {
  /// Required. When it came up to speed, as well as anyone who stood beside it at that time can remember, or
  /// can be made to.
  std::optional<Timestamp> runningAtFullSpeedSince{};
  /// Sets or unsets keys, or unsets all keys.
  MetadataArg metadata{};
};

/// Arguments of AsyncWidgets::reportRetired.
struct WidgetReportRetiredArgs {
  MetadataArg metadata{};  ///< Sets or unsets keys, or unsets all keys.
};

/// The methods of Widgets as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::widgets().
class AsyncWidgets {
 public:
  explicit AsyncWidgets(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move, which would leave it without a client.
  AsyncWidgets(const AsyncWidgets&) = default;
  AsyncWidgets& operator=(const AsyncWidgets&) = default;
  ~AsyncWidgets() = default;

  /// Creates a widget. See Widgets::create().
  [[nodiscard]] Call<Widget> create(const WidgetCreateArgs& args, const CallOptions& options = {}) const;

  /// Lists widgets, newest first. See Widgets::list().
  [[nodiscard]] AsyncPager<Widget> list(const WidgetListArgs& args = {},
                                        const CallOptions& options = {}) const;

  /// Searches widgets. See Widgets::search().
  [[nodiscard]] AsyncPager<Widget> search(const WidgetSearchArgs& args,
                                          const CallOptions& options = {}) const;

  /// Retrieves a widget. See Widgets::retrieve().
  [[nodiscard]] Call<Widget> retrieve(const Id<Widget>& id, const CallOptions& options = {}) const;

  /// Updates the given fields of a widget and leaves the others unchanged. See Widgets::update().
  [[nodiscard]] Call<Widget> update(const Id<Widget>& id, const WidgetUpdateArgs& args,
                                    const CallOptions& options = {}) const;

  /// Updates the blueprint of a widget. Takes JSON. See Widgets::redraw().
  [[nodiscard]] Call<Widget> redraw(const Id<Widget>& id, const WidgetRedrawArgs& args,
                                    const CallOptions& options = {}) const;

  /// Reports that a widget runs. See Widgets::reportSwitchedOnAndRunningAtFullSpeed().
  [[nodiscard]] Call<Widget> reportSwitchedOnAndRunningAtFullSpeed(
      const Id<Widget>& id, const WidgetReportSwitchedOnAndRunningAtFullSpeedArgs& args,
      const CallOptions& options = {}) const;

  /// Reports that a widget is out of service. See Widgets::reportRetired().
  [[nodiscard]] Call<Widget> reportRetired(const Id<Widget>& id, const WidgetReportRetiredArgs& args = {},
                                           const CallOptions& options = {}) const;

  /// Sends any report on a widget for a Report, which must have a name: g++ 12 destroys a temporary in a
  /// `co_await` twice.
  [[nodiscard]] Call<Widget> report(const Report& report, const CallOptions& options = {}) const;
  Call<Widget> report(const Report&& report, const CallOptions& options = {}) const = delete;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
