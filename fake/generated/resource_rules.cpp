// Generated from the API description, version 1.0.0. Do not edit.
#include "tables/rules.h"

namespace tally::fake::detail {

extern const ResourceRules accountRules;
extern const ResourceRules coreAccountRules;
extern const ResourceRules dataExportRules;
extern const ResourceRules fileRules;
extern const ResourceRules invoiceRules;
extern const ResourceRules issuingCardRules;
extern const ResourceRules paymentIntentRules;
extern const ResourceRules paymentRecordRules;
extern const ResourceRules payoutRules;
extern const ResourceRules reportingReportRunRules;
extern const ResourceRules subscriptionRules;
extern const ResourceRules taxRegistrationRules;

namespace {

// clang-format off: one per line
constexpr const ResourceRules* table[] = {
    &accountRules,
    &coreAccountRules,
    &dataExportRules,
    &fileRules,
    &invoiceRules,
    &issuingCardRules,
    &paymentIntentRules,
    &paymentRecordRules,
    &payoutRules,
    &reportingReportRunRules,
    &subscriptionRules,
    &taxRegistrationRules,
};
// clang-format on

}  // namespace

constinit const std::span<const ResourceRules* const> resourceRules{table};

}  // namespace tally::fake::detail
