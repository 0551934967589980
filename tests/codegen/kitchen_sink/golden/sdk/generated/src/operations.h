// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include "schema/operation.h"

namespace tally::detail {

extern const Resource gadgetResource;
extern const Resource widgetResource;

extern const Operation gadgetsCreate;
extern const Operation gadgetsRetrieve;
extern const Operation gadgetsUpdate;
extern const Operation widgetsCreate;
extern const Operation widgetsList;
extern const Operation widgetsSearch;
extern const Operation widgetsRetrieve;
extern const Operation widgetsUpdate;
extern const Operation widgetsReportSwitchedOnAndRunningAtFullSpeed;
extern const Operation widgetsReportRetired;

}  // namespace tally::detail
