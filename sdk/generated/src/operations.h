// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/borrowed.h>

#include "schema/operation.h"

namespace [[gnu::visibility("default")]] tally {

struct Account;
struct CoreAccount;
struct DataExport;
struct File;
struct Invoice;
struct IssuingCard;
struct PaymentIntent;
struct PaymentRecord;
struct Payout;
struct ReportingReportRun;
struct Subscription;
struct TaxRegistration;
template <class O>
struct BasicAccountCreateParams;
template <class O>
struct BasicAccountListParams;
template <class O>
struct BasicCoreAccountCreateParams;
template <class O>
struct BasicDataExportListParams;
template <class O>
struct BasicFileCreateParams;
template <class O>
struct BasicFileListParams;
template <class O>
struct BasicInvoiceCreateParams;
template <class O>
struct BasicInvoiceListParams;
template <class O>
struct BasicInvoiceSearchParams;
template <class O>
struct BasicIssuingCardCreateParams;
template <class O>
struct BasicIssuingCardListParams;
template <class O>
struct BasicPaymentIntentCreateParams;
template <class O>
struct BasicPaymentIntentListParams;
template <class O>
struct BasicPaymentIntentSearchParams;
template <class O>
struct BasicPaymentIntentUpdateParams;
template <class O>
struct BasicPaymentRecordListParams;
template <class O>
struct BasicPaymentRecordReportCanceledParams;
template <class O>
struct BasicPaymentRecordReportFailedParams;
template <class O>
struct BasicPaymentRecordReportGuaranteedParams;
template <class O>
struct BasicPaymentRecordSearchParams;
template <class O>
struct BasicPayoutCreateParams;
template <class O>
struct BasicPayoutListParams;
template <class O>
struct BasicReportingReportRunListParams;
template <class O>
struct BasicSubscriptionCreateParams;
template <class O>
struct BasicSubscriptionListParams;
template <class O>
struct BasicSubscriptionSearchParams;
template <class O>
struct BasicSubscriptionUpdateParams;
template <class O>
struct BasicTaxRegistrationListParams;

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

extern const Operation<BasicAccountCreateParams<Owning>, Account> accountsCreate;
extern const Operation<BasicAccountListParams<Owning>, Account> accountsList;
extern const Operation<void, Account> accountsRetrieve;
extern const Operation<BasicCoreAccountCreateParams<Owning>, CoreAccount> coreAccountsCreate;
extern const Operation<BasicDataExportListParams<Owning>, DataExport> dataExportsList;
extern const Operation<BasicFileCreateParams<Owning>, File> filesCreate;
extern const Operation<BasicFileListParams<Owning>, File> filesList;
extern const Operation<void, File> filesRetrieve;
extern const Operation<BasicInvoiceCreateParams<Owning>, Invoice> invoicesCreate;
extern const Operation<BasicInvoiceListParams<Owning>, Invoice> invoicesList;
extern const Operation<BasicInvoiceSearchParams<Owning>, Invoice> invoicesSearch;
extern const Operation<void, Invoice> invoicesRetrieve;
extern const Operation<BasicIssuingCardCreateParams<Owning>, IssuingCard> issuingCardsCreate;
extern const Operation<BasicIssuingCardListParams<Owning>, IssuingCard> issuingCardsList;
extern const Operation<void, IssuingCard> issuingCardsRetrieve;
extern const Operation<BasicPaymentIntentCreateParams<Owning>, PaymentIntent> paymentIntentsCreate;
extern const Operation<BasicPaymentIntentListParams<Owning>, PaymentIntent> paymentIntentsList;
extern const Operation<BasicPaymentIntentSearchParams<Owning>, PaymentIntent> paymentIntentsSearch;
extern const Operation<void, PaymentIntent> paymentIntentsRetrieve;
extern const Operation<BasicPaymentIntentUpdateParams<Owning>, PaymentIntent> paymentIntentsUpdate;
extern const Operation<BasicPaymentRecordListParams<Owning>, PaymentRecord> paymentRecordsList;
extern const Operation<BasicPaymentRecordSearchParams<Owning>, PaymentRecord> paymentRecordsSearch;
extern const Operation<void, PaymentRecord> paymentRecordsRetrieve;
extern const Operation<BasicPaymentRecordReportCanceledParams<Owning>, PaymentRecord>
    paymentRecordsReportCanceled;
extern const Operation<BasicPaymentRecordReportFailedParams<Owning>, PaymentRecord>
    paymentRecordsReportFailed;
extern const Operation<BasicPaymentRecordReportGuaranteedParams<Owning>, PaymentRecord>
    paymentRecordsReportGuaranteed;
extern const Operation<BasicPayoutCreateParams<Owning>, Payout> payoutsCreate;
extern const Operation<BasicPayoutListParams<Owning>, Payout> payoutsList;
extern const Operation<void, Payout> payoutsRetrieve;
extern const Operation<BasicReportingReportRunListParams<Owning>, ReportingReportRun> reportingReportRunsList;
extern const Operation<BasicSubscriptionCreateParams<Owning>, Subscription> subscriptionsCreate;
extern const Operation<BasicSubscriptionListParams<Owning>, Subscription> subscriptionsList;
extern const Operation<BasicSubscriptionSearchParams<Owning>, Subscription> subscriptionsSearch;
extern const Operation<void, Subscription> subscriptionsRetrieve;
extern const Operation<BasicSubscriptionUpdateParams<Owning>, Subscription> subscriptionsUpdate;
extern const Operation<BasicTaxRegistrationListParams<Owning>, TaxRegistration> taxRegistrationsList;

}  // namespace tally::detail
