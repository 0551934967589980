// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_widgets.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "async/async_reports.h"
#include "operations.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<Widget>::value;

static_assert(std::is_trivially_destructible_v<Borrowed<WidgetCreateParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<WidgetListParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<WidgetSearchParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<WidgetUpdateParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<WidgetRedrawParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<WidgetReportSwitchedOnAndRunningAtFullSpeedParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<WidgetReportRetiredParams>>);

Call<Widget> AsyncWidgets::create(const Borrowed<WidgetCreateParams>& params,
                                  const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::widgetsCreate, {}, params, options);
}

AsyncPager<Widget> AsyncWidgets::list(const Borrowed<WidgetListParams>& params,
                                      const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::widgetsList, params, options);
}

AsyncPager<Widget> AsyncWidgets::search(const Borrowed<WidgetSearchParams>& params,
                                        const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::widgetsSearch, params, options);
}

Call<Widget> AsyncWidgets::retrieve(const Id<Widget>& id, const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::widgetsRetrieve, id.str(), options);
}

Call<Widget> AsyncWidgets::update(const Id<Widget>& id, const Borrowed<WidgetUpdateParams>& params,
                                  const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::widgetsUpdate, id.str(), params, options);
}

Call<Widget> AsyncWidgets::redraw(const Id<Widget>& id, const Borrowed<WidgetRedrawParams>& params,
                                  const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::widgetsRedraw, id.str(), params, options);
}

Call<Widget> AsyncWidgets::reportSwitchedOnAndRunningAtFullSpeed(
    const Id<Widget>& id, const Borrowed<WidgetReportSwitchedOnAndRunningAtFullSpeedParams>& params,
    const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::widgetsReportSwitchedOnAndRunningAtFullSpeed, id.str(), params,
                           options);
}

Call<Widget> AsyncWidgets::reportRetired(const Id<Widget>& id,
                                         const Borrowed<WidgetReportRetiredParams>& params,
                                         const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::widgetsReportRetired, id.str(), params, options);
}

Call<Widget> AsyncWidgets::report(const Report& report, const Borrowed<RequestOptions>& options) const {
  return detail::asyncSendReport<Widget>(engine_, detail::widgetResource, report, options);
}

template class AsyncPager<Widget>;

}  // namespace tally
