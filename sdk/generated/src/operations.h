// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include "schema/operation.h"

namespace tally {

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

namespace detail {

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

extern const TypedOperation<AccountCreateParams, Account> accountsCreate;
extern const TypedOperation<AccountListParams, Account> accountsList;
extern const TypedOperation<void, Account> accountsRetrieve;
extern const TypedOperation<CoreAccountCreateParams, CoreAccount> coreAccountsCreate;
extern const TypedOperation<DataExportListParams, DataExport> dataExportsList;
extern const TypedOperation<FileCreateParams, File> filesCreate;
extern const TypedOperation<FileListParams, File> filesList;
extern const TypedOperation<void, File> filesRetrieve;
extern const TypedOperation<InvoiceCreateParams, Invoice> invoicesCreate;
extern const TypedOperation<InvoiceListParams, Invoice> invoicesList;
extern const TypedOperation<InvoiceSearchParams, Invoice> invoicesSearch;
extern const TypedOperation<void, Invoice> invoicesRetrieve;
extern const TypedOperation<IssuingCardCreateParams, IssuingCard> issuingCardsCreate;
extern const TypedOperation<IssuingCardListParams, IssuingCard> issuingCardsList;
extern const TypedOperation<void, IssuingCard> issuingCardsRetrieve;
extern const TypedOperation<PaymentIntentCreateParams, PaymentIntent> paymentIntentsCreate;
extern const TypedOperation<PaymentIntentListParams, PaymentIntent> paymentIntentsList;
extern const TypedOperation<PaymentIntentSearchParams, PaymentIntent> paymentIntentsSearch;
extern const TypedOperation<void, PaymentIntent> paymentIntentsRetrieve;
extern const TypedOperation<PaymentIntentUpdateParams, PaymentIntent> paymentIntentsUpdate;
extern const TypedOperation<PaymentRecordListParams, PaymentRecord> paymentRecordsList;
extern const TypedOperation<PaymentRecordSearchParams, PaymentRecord> paymentRecordsSearch;
extern const TypedOperation<void, PaymentRecord> paymentRecordsRetrieve;
extern const TypedOperation<PaymentRecordReportCanceledParams, PaymentRecord> paymentRecordsReportCanceled;
extern const TypedOperation<PaymentRecordReportFailedParams, PaymentRecord> paymentRecordsReportFailed;
extern const TypedOperation<PaymentRecordReportGuaranteedParams, PaymentRecord>
    paymentRecordsReportGuaranteed;
extern const TypedOperation<PayoutCreateParams, Payout> payoutsCreate;
extern const TypedOperation<PayoutListParams, Payout> payoutsList;
extern const TypedOperation<void, Payout> payoutsRetrieve;
extern const TypedOperation<ReportingReportRunListParams, ReportingReportRun> reportingReportRunsList;
extern const TypedOperation<SubscriptionCreateParams, Subscription> subscriptionsCreate;
extern const TypedOperation<SubscriptionListParams, Subscription> subscriptionsList;
extern const TypedOperation<SubscriptionSearchParams, Subscription> subscriptionsSearch;
extern const TypedOperation<void, Subscription> subscriptionsRetrieve;
extern const TypedOperation<SubscriptionUpdateParams, Subscription> subscriptionsUpdate;
extern const TypedOperation<TaxRegistrationListParams, TaxRegistration> taxRegistrationsList;

}  // namespace detail

}  // namespace tally
