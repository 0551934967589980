// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/borrowed.h>
#include <tally/call.h>
#include <tally/widgets.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// The methods of Widgets as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::widgets().
class AsyncWidgets {
 public:
  explicit AsyncWidgets(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move operations: a move would leave the source without a client.
  AsyncWidgets(const AsyncWidgets&) = default;
  AsyncWidgets& operator=(const AsyncWidgets&) = default;
  ~AsyncWidgets() = default;

  /// Creates a widget. See Widgets::create().
  [[nodiscard]] Call<Widget> create(const Borrowed<WidgetCreateParams>& params,
                                    const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Lists widgets, newest first. See Widgets::list().
  [[nodiscard]] AsyncPager<Widget> list(const Borrowed<WidgetListParams>& params = detail::defaulted,
                                        const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Searches widgets. See Widgets::search().
  [[nodiscard]] AsyncPager<Widget> search(const Borrowed<WidgetSearchParams>& params,
                                          const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// The same with a condition on fields in WidgetSearchFields.
  template <query::IsCondition C>
  [[nodiscard]] AsyncPager<Widget> search(const C& condition,
                                          const Borrowed<RequestOptions>& options = detail::defaulted) const {
    return search(Borrowed<WidgetSearchParams>{.query = condition}, options);
  }

  /// Retrieves a widget. See Widgets::retrieve().
  [[nodiscard]] Call<Widget> retrieve(const Id<Widget>& id,
                                      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Updates the given fields of a widget and leaves the others unchanged. See Widgets::update().
  [[nodiscard]] Call<Widget> update(const Id<Widget>& id, const Borrowed<WidgetUpdateParams>& params,
                                    const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Updates the blueprint of a widget. Takes JSON. See Widgets::redraw().
  [[nodiscard]] Call<Widget> redraw(const Id<Widget>& id, const Borrowed<WidgetRedrawParams>& params,
                                    const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Reports that a widget runs. See Widgets::reportSwitchedOnAndRunningAtFullSpeed().
  [[nodiscard]] Call<Widget> reportSwitchedOnAndRunningAtFullSpeed(
      const Id<Widget>& id, const Borrowed<WidgetReportSwitchedOnAndRunningAtFullSpeedParams>& params,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Reports that a widget is out of service. See Widgets::reportRetired().
  [[nodiscard]] Call<Widget> reportRetired(
      const Id<Widget>& id, const Borrowed<WidgetReportRetiredParams>& params = detail::defaulted,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Sends any report on a widget, given as a Report, which must be a named variable: g++ 12 destroys a
  /// temporary in a `co_await` twice.
  [[nodiscard]] Call<Widget> report(const Report& report,
                                    const Borrowed<RequestOptions>& options = detail::defaulted) const;
  Call<Widget> report(const Report&& report,
                      const Borrowed<RequestOptions>& options = detail::defaulted) const = delete;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
