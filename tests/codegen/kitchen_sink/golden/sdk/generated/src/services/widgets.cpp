// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/widgets.h>

#include "call/call.h"
#include "operations.h"
#include "pagination/pager_impl.h"
#include "reports/prepared_report.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<Widget>::value;

Result<Widget> Widgets::create(const WidgetCreateParams& params, const RequestOptions& options) const {
  return detail::call(*core_, detail::widgetsCreate, {}, params, options);
}

Pager<Widget> Widgets::list(const WidgetListParams& params, const RequestOptions& options) const {
  return detail::walkPages(core_, detail::widgetsList, params, options);
}

Pager<Widget> Widgets::search(const WidgetSearchParams& params, const RequestOptions& options) const {
  return detail::walkPages(core_, detail::widgetsSearch, params, options);
}

Result<Widget> Widgets::retrieve(const Id<Widget>& id, const RequestOptions& options) const {
  return detail::call(*core_, detail::widgetsRetrieve, id.str(), options);
}

Result<Widget> Widgets::update(const Id<Widget>& id, const WidgetUpdateParams& params,
                               const RequestOptions& options) const {
  return detail::call(*core_, detail::widgetsUpdate, id.str(), params, options);
}

Result<Widget> Widgets::redraw(const Id<Widget>& id, const WidgetRedrawParams& params,
                               const RequestOptions& options) const {
  return detail::call(*core_, detail::widgetsRedraw, id.str(), params, options);
}

Result<Widget> Widgets::reportSwitchedOnAndRunningAtFullSpeed(
    const Id<Widget>& id, const WidgetReportSwitchedOnAndRunningAtFullSpeedParams& params,
    const RequestOptions& options) const {
  return detail::call(*core_, detail::widgetsReportSwitchedOnAndRunningAtFullSpeed, id.str(), params,
                      options);
}

Result<Widget> Widgets::reportRetired(const Id<Widget>& id, const WidgetReportRetiredParams& params,
                                      const RequestOptions& options) const {
  return detail::call(*core_, detail::widgetsReportRetired, id.str(), params, options);
}

Result<Widget> Widgets::report(const Report& report, const RequestOptions& options) const {
  return detail::sendReport<Widget>(*core_, detail::widgetResource, report, options);
}

template class Pager<Widget>;
template class Pages<Widget>;
template std::ostream& operator<<(std::ostream& out, const Page<Widget>& value);

}  // namespace tally
