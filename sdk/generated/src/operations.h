// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include "schema/operation.h"

namespace [[gnu::visibility("default")]] tally {

struct Account;
struct AccountCreateParams;
struct AccountListParams;
struct CoreAccount;
struct CoreAccountCreateParams;
struct DataExport;
struct DataExportListParams;
struct File;
struct FileCreateParams;
struct FileListParams;
struct Invoice;
struct InvoiceCreateParams;
struct InvoiceListParams;
struct InvoiceSearchParams;
struct IssuingCard;
struct IssuingCardCreateParams;
struct IssuingCardListParams;
struct PaymentIntent;
struct PaymentIntentCreateParams;
struct PaymentIntentListParams;
struct PaymentIntentSearchParams;
struct PaymentIntentUpdateParams;
struct PaymentRecord;
struct PaymentRecordListParams;
struct PaymentRecordReportCanceledParams;
struct PaymentRecordReportFailedParams;
struct PaymentRecordReportGuaranteedParams;
struct PaymentRecordSearchParams;
struct Payout;
struct PayoutCreateParams;
struct PayoutListParams;
struct ReportingReportRun;
struct ReportingReportRunListParams;
struct Subscription;
struct SubscriptionCreateParams;
struct SubscriptionListParams;
struct SubscriptionSearchParams;
struct SubscriptionUpdateParams;
struct TaxRegistration;
struct TaxRegistrationListParams;

}  // namespace tally

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

extern const Operation<AccountCreateParams, Account> accountsCreate;
extern const Operation<AccountListParams, Account> accountsList;
extern const Operation<void, Account> accountsRetrieve;
extern const Operation<CoreAccountCreateParams, CoreAccount> coreAccountsCreate;
extern const Operation<DataExportListParams, DataExport> dataExportsList;
extern const Operation<FileCreateParams, File> filesCreate;
extern const Operation<FileListParams, File> filesList;
extern const Operation<void, File> filesRetrieve;
extern const Operation<InvoiceCreateParams, Invoice> invoicesCreate;
extern const Operation<InvoiceListParams, Invoice> invoicesList;
extern const Operation<InvoiceSearchParams, Invoice> invoicesSearch;
extern const Operation<void, Invoice> invoicesRetrieve;
extern const Operation<IssuingCardCreateParams, IssuingCard> issuingCardsCreate;
extern const Operation<IssuingCardListParams, IssuingCard> issuingCardsList;
extern const Operation<void, IssuingCard> issuingCardsRetrieve;
extern const Operation<PaymentIntentCreateParams, PaymentIntent> paymentIntentsCreate;
extern const Operation<PaymentIntentListParams, PaymentIntent> paymentIntentsList;
extern const Operation<PaymentIntentSearchParams, PaymentIntent> paymentIntentsSearch;
extern const Operation<void, PaymentIntent> paymentIntentsRetrieve;
extern const Operation<PaymentIntentUpdateParams, PaymentIntent> paymentIntentsUpdate;
extern const Operation<PaymentRecordListParams, PaymentRecord> paymentRecordsList;
extern const Operation<PaymentRecordSearchParams, PaymentRecord> paymentRecordsSearch;
extern const Operation<void, PaymentRecord> paymentRecordsRetrieve;
extern const Operation<PaymentRecordReportCanceledParams, PaymentRecord> paymentRecordsReportCanceled;
extern const Operation<PaymentRecordReportFailedParams, PaymentRecord> paymentRecordsReportFailed;
extern const Operation<PaymentRecordReportGuaranteedParams, PaymentRecord> paymentRecordsReportGuaranteed;
extern const Operation<PayoutCreateParams, Payout> payoutsCreate;
extern const Operation<PayoutListParams, Payout> payoutsList;
extern const Operation<void, Payout> payoutsRetrieve;
extern const Operation<ReportingReportRunListParams, ReportingReportRun> reportingReportRunsList;
extern const Operation<SubscriptionCreateParams, Subscription> subscriptionsCreate;
extern const Operation<SubscriptionListParams, Subscription> subscriptionsList;
extern const Operation<SubscriptionSearchParams, Subscription> subscriptionsSearch;
extern const Operation<void, Subscription> subscriptionsRetrieve;
extern const Operation<SubscriptionUpdateParams, Subscription> subscriptionsUpdate;
extern const Operation<TaxRegistrationListParams, TaxRegistration> taxRegistrationsList;

}  // namespace tally::detail
