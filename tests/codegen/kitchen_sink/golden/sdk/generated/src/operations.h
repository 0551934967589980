// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include "schema/operation.h"

namespace tally {

struct Gadget;
struct GadgetCreateParams;
struct GadgetUpdateParams;
struct Widget;
struct WidgetCreateParams;
struct WidgetListParams;
struct WidgetReportRetiredParams;
struct WidgetReportSwitchedOnAndRunningAtFullSpeedParams;
struct WidgetSearchParams;
struct WidgetUpdateParams;

namespace detail {

extern const Resource gadgetResource;
extern const Resource widgetResource;

extern const TypedOperation<GadgetCreateParams, Gadget> gadgetsCreate;
extern const TypedOperation<void, Gadget> gadgetsRetrieve;
extern const TypedOperation<GadgetUpdateParams, Gadget> gadgetsUpdate;
extern const TypedOperation<WidgetCreateParams, Widget> widgetsCreate;
extern const TypedOperation<WidgetListParams, Widget> widgetsList;
extern const TypedOperation<WidgetSearchParams, Widget> widgetsSearch;
extern const TypedOperation<void, Widget> widgetsRetrieve;
extern const TypedOperation<WidgetUpdateParams, Widget> widgetsUpdate;
extern const TypedOperation<WidgetReportSwitchedOnAndRunningAtFullSpeedParams, Widget>
    widgetsReportSwitchedOnAndRunningAtFullSpeed;
extern const TypedOperation<WidgetReportRetiredParams, Widget> widgetsReportRetired;

}  // namespace detail

}  // namespace tally
