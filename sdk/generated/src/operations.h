// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include "schema/operation.h"

namespace tally::detail {

extern const Resource accountResource;
extern const Resource coreAccountResource;
extern const Resource dataExportResource;
extern const Resource fileResource;
extern const Resource invoiceResource;
extern const Resource issuingCardResource;
extern const Resource paymentIntentResource;
extern const Resource paymentRecordResource;
extern const Resource payoutResource;
extern const Resource reportingReportRunResource;
extern const Resource subscriptionResource;
extern const Resource taxRegistrationResource;

extern const Operation accountsCreate;
extern const Operation accountsList;
extern const Operation accountsRetrieve;
extern const Operation coreAccountsCreate;
extern const Operation dataExportsList;
extern const Operation filesCreate;
extern const Operation filesList;
extern const Operation filesRetrieve;
extern const Operation invoicesCreate;
extern const Operation invoicesList;
extern const Operation invoicesSearch;
extern const Operation invoicesRetrieve;
extern const Operation issuingCardsCreate;
extern const Operation issuingCardsList;
extern const Operation issuingCardsRetrieve;
extern const Operation paymentIntentsCreate;
extern const Operation paymentIntentsList;
extern const Operation paymentIntentsSearch;
extern const Operation paymentIntentsRetrieve;
extern const Operation paymentIntentsUpdate;
extern const Operation paymentRecordsList;
extern const Operation paymentRecordsSearch;
extern const Operation paymentRecordsRetrieve;
extern const Operation paymentRecordsReportCanceled;
extern const Operation paymentRecordsReportFailed;
extern const Operation paymentRecordsReportGuaranteed;
extern const Operation payoutsCreate;
extern const Operation payoutsList;
extern const Operation payoutsRetrieve;
extern const Operation reportingReportRunsList;
extern const Operation subscriptionsCreate;
extern const Operation subscriptionsList;
extern const Operation subscriptionsSearch;
extern const Operation subscriptionsRetrieve;
extern const Operation subscriptionsUpdate;
extern const Operation taxRegistrationsList;

}  // namespace tally::detail
