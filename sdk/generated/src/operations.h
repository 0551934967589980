// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include "operation.h"

namespace tally::detail {

extern const Resource paymentRecordResource;

extern const Operation paymentRecordsList;
extern const Operation paymentRecordsSearch;
extern const Operation paymentRecordsRetrieve;
extern const Operation paymentRecordsReportCanceled;
extern const Operation paymentRecordsReportFailed;
extern const Operation paymentRecordsReportGuaranteed;

}  // namespace tally::detail
