// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include "schema/operation.h"

namespace [[gnu::visibility("default")]] tally {

struct Widget;
struct WidgetCreateParams;
struct WidgetListParams;
struct WidgetRedrawParams;
struct WidgetReportRetiredParams;
struct WidgetReportSwitchedOnAndRunningAtFullSpeedParams;
struct WidgetSearchParams;
struct WidgetUpdateParams;

}  // namespace tally

namespace tally::detail {

extern const Resource widgetResource;

extern const Operation<WidgetCreateParams, Widget> widgetsCreate;
extern const Operation<WidgetListParams, Widget> widgetsList;
extern const Operation<WidgetSearchParams, Widget> widgetsSearch;
extern const Operation<void, Widget> widgetsRetrieve;
extern const Operation<WidgetUpdateParams, Widget> widgetsUpdate;
extern const Operation<WidgetRedrawParams, Widget> widgetsRedraw;
extern const Operation<WidgetReportSwitchedOnAndRunningAtFullSpeedParams, Widget>
    widgetsReportSwitchedOnAndRunningAtFullSpeed;
extern const Operation<WidgetReportRetiredParams, Widget> widgetsReportRetired;

}  // namespace tally::detail
