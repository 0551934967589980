// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/borrowed.h>

#include "schema/operation.h"

namespace [[gnu::visibility("default")]] tally {

struct Widget;
template <class O>
struct BasicWidgetCreateParams;
template <class O>
struct BasicWidgetListParams;
template <class O>
struct BasicWidgetRedrawParams;
template <class O>
struct BasicWidgetReportRetiredParams;
template <class O>
struct BasicWidgetReportSwitchedOnAndRunningAtFullSpeedParams;
template <class O>
struct BasicWidgetSearchParams;
template <class O>
struct BasicWidgetUpdateParams;

}  // namespace tally

namespace tally::detail {

extern const Resource widgetResource;

extern const Operation<BasicWidgetCreateParams<Owning>, Widget> widgetsCreate;
extern const Operation<BasicWidgetListParams<Owning>, Widget> widgetsList;
extern const Operation<BasicWidgetSearchParams<Owning>, Widget> widgetsSearch;
extern const Operation<void, Widget> widgetsRetrieve;
extern const Operation<BasicWidgetUpdateParams<Owning>, Widget> widgetsUpdate;
extern const Operation<BasicWidgetRedrawParams<Owning>, Widget> widgetsRedraw;
extern const Operation<BasicWidgetReportSwitchedOnAndRunningAtFullSpeedParams<Owning>, Widget>
    widgetsReportSwitchedOnAndRunningAtFullSpeed;
extern const Operation<BasicWidgetReportRetiredParams<Owning>, Widget> widgetsReportRetired;

}  // namespace tally::detail
