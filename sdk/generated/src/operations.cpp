// Generated from the API description, version 1.0.0. Do not edit.
#include "operations.h"

namespace tally::detail {

namespace {

// clang-format off: one per line
constexpr const AnyOperation* table[] = {
    &accountsCreate,
    &accountsList,
    &accountsRetrieve,
    &coreAccountsCreate,
    &dataExportsList,
    &filesCreate,
    &filesList,
    &filesRetrieve,
    &invoicesCreate,
    &invoicesList,
    &invoicesSearch,
    &invoicesRetrieve,
    &issuingCardsCreate,
    &issuingCardsList,
    &issuingCardsRetrieve,
    &paymentIntentsCreate,
    &paymentIntentsList,
    &paymentIntentsSearch,
    &paymentIntentsRetrieve,
    &paymentIntentsUpdate,
    &paymentRecordsList,
    &paymentRecordsSearch,
    &paymentRecordsRetrieve,
    &paymentRecordsReportCanceled,
    &paymentRecordsReportFailed,
    &paymentRecordsReportGuaranteed,
    &payoutsCreate,
    &payoutsList,
    &payoutsRetrieve,
    &reportingReportRunsList,
    &subscriptionsCreate,
    &subscriptionsList,
    &subscriptionsSearch,
    &subscriptionsRetrieve,
    &subscriptionsUpdate,
    &taxRegistrationsList,
};
// clang-format on

}  // namespace

constinit const std::span<const AnyOperation* const> operations{table};

}  // namespace tally::detail
