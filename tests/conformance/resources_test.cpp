// docs/reference/assumptions.md, "Limits" and "The retrieve operation": each operation of the resources that
// the specification only names.

#include "conformance/support/conformance.h"
#include "fake/support/requests.h"

namespace tally::conformance {
namespace {

/// How to create an object of a resource, and how to access it.
template <class T>
struct Calls;

template <>
struct Calls<PaymentIntent> {
  static constexpr const char* path = "/v1/payment_intents";
  static constexpr const char* prefix = "pi_";
  static PaymentIntents of(const Client& client) { return client.paymentIntents(); }
  static PaymentIntent create(const Client& client) {
    return of(client).create({.amount = 500, .currency = "eur"}).value();
  }
};

template <>
struct Calls<Subscription> {
  static constexpr const char* path = "/v1/subscriptions";
  static constexpr const char* prefix = "sub_";
  static Subscriptions of(const Client& client) { return client.subscriptions(); }
  static Subscription create(const Client& client) { return of(client).create().value(); }
};

template <>
struct Calls<Invoice> {
  static constexpr const char* path = "/v1/invoices";
  static constexpr const char* prefix = "in_";
  static Invoices of(const Client& client) { return client.invoices(); }
  static Invoice create(const Client& client) {
    return of(client).create({.subscription = Calls<Subscription>::create(client).id}).value();
  }
};

template <>
struct Calls<File> {
  static constexpr const char* path = "/v1/files";
  static constexpr const char* prefix = "file_";
  static Files of(const Client& client) { return client.files(); }
  static File create(const Client& client) {
    return of(client).create({.purpose = "evidence", .filename = "receipt.pdf"}).value();
  }
};

template <>
struct Calls<Payout> {
  static constexpr const char* path = "/v1/payouts";
  static constexpr const char* prefix = "po_";
  static Payouts of(const Client& client) { return client.payouts(); }
  static Payout create(const Client& client) {
    return of(client).create({.amount = 500, .currency = "eur"}).value();
  }
};

template <>
struct Calls<Account> {
  static constexpr const char* path = "/v1/accounts";
  static constexpr const char* prefix = "acct_";
  static Accounts of(const Client& client) { return client.accounts(); }
  static Account create(const Client& client) { return of(client).create().value(); }
};

template <>
struct Calls<IssuingCard> {
  static constexpr const char* path = "/v1/issuing/cards";
  static constexpr const char* prefix = "ic_";
  static IssuingCards of(const Client& client) { return client.issuingCards(); }
  static IssuingCard create(const Client& client) { return of(client).create().value(); }
};

template <>
struct Calls<DataExport> {
  static constexpr const char* path = "/v1/data/exports";
  static DataExports of(const Client& client) { return client.dataExports(); }
};

template <>
struct Calls<ReportingReportRun> {
  static constexpr const char* path = "/v1/reporting/report_runs";
  static ReportingReportRuns of(const Client& client) { return client.reportingReportRuns(); }
};

template <>
struct Calls<TaxRegistration> {
  static constexpr const char* path = "/v1/tax/registrations";
  static TaxRegistrations of(const Client& client) { return client.taxRegistrations(); }
};

struct ObjectNames {
  template <class T>
  static std::string GetName(int) {
    return std::string{T::object};
  }
};

/// Tests of one resource, at a rate within all limits.
class Resources : public Conformance {
 protected:
  Client live{service.clientOptions(account.liveKey)};
  Client stranger{service.clientOptions(service.addAccount().sandboxKey)};

  void pass(std::chrono::seconds time = std::chrono::seconds{1}) { service.clock()->advance(time); }

  std::chrono::sys_seconds now() { return std::chrono::floor<std::chrono::seconds>(service.clock()->now()); }

  template <class T>
  T create(const Client& by) {
    pass();
    return Calls<T>::create(by);
  }
};

template <class T>
class CreatedResource : public Resources {
 protected:
  T create(const Client& by) { return Resources::create<T>(by); }
  auto calls(const Client& by) { return Calls<T>::of(by); }

  /// Returns identifiers in list order, newest first.
  Ids createMany(int count) {
    Ids ids;
    for (int i = 0; i < count; ++i)
      ids.insert(ids.begin(), create(this->client).id.str());
    return ids;
  }
};

using CreatedTypes = testing::Types<PaymentIntent, Subscription, Invoice, File, Payout, Account, IssuingCard>;
TYPED_TEST_SUITE(CreatedResource, CreatedTypes, ObjectNames);

TYPED_TEST(CreatedResource, HasAPrefixedIdItsCreationTimeAndTheModeOfTheKey) {
  const auto made = this->create(this->client);
  EXPECT_TRUE(made.id.str().starts_with(Calls<TypeParam>::prefix));
  EXPECT_EQ(made.created, this->now());
  EXPECT_FALSE(made.livemode);
  EXPECT_TRUE(this->create(this->live).livemode);
}

TYPED_TEST(CreatedResource, IsRetrievedAsCreated) {
  const auto made = this->create(this->client);
  this->pass();
  EXPECT_EQ(this->calls(this->client).retrieve(made.id).value(), made);
}

TYPED_TEST(CreatedResource, CanBeListedForwardAndBackward) {
  const Ids ids = this->createMany(5);
  EXPECT_EQ(idsOf(this->calls(this->client).list({.limit = 2})), ids);
  EXPECT_EQ(idsOf(this->calls(this->client).list({.limit = 2, .startingAfter = ids[1]})),
            Ids(ids.begin() + 2, ids.end()));
  EXPECT_EQ(idsOf(this->calls(this->client).list({.limit = 2, .endingBefore = ids.back()})),
            Ids(ids.rbegin() + 1, ids.rend()));
}

TYPED_TEST(CreatedResource, IsListedAsCreated) {
  const auto made = this->create(this->client);
  const auto page = firstPage(this->calls(this->client).list());
  EXPECT_EQ(page.url, Calls<TypeParam>::path);
  EXPECT_FALSE(page.hasMore);
  ASSERT_EQ(page.data.size(), 1U);
  EXPECT_EQ(page.data[0], made);
}

TYPED_TEST(CreatedResource, IsInvisibleInTheOtherModeAndToOtherAccounts) {
  const auto made = this->create(this->client);
  for (const Client& other : {this->live, this->stranger}) {
    const Error error = this->calls(other).retrieve(made.id).error();
    EXPECT_EQ(error.status(), 404);
    EXPECT_EQ(error.code(), error_code::resourceMissing);
    EXPECT_TRUE(idsOf(this->calls(other).list()).empty());
    EXPECT_EQ(firstError(this->calls(other).list({.startingAfter = made.id}))->code(),
              error_code::resourceMissing);
  }
  const auto inLiveMode = this->create(this->live);
  EXPECT_EQ(this->calls(this->client).retrieve(inLiveMode.id).error().status(), 404);
  EXPECT_EQ(idsOf(this->calls(this->client).list()), (Ids{made.id.str()}));
}

TYPED_TEST(CreatedResource, IsNotFoundByAnIdentifierOfAnotherResource) {
  const Error error = this->calls(this->client).retrieve("pr_1").error();
  EXPECT_EQ(error.kind(), ErrorKind::invalidParameter);
  EXPECT_EQ(error.param(), "id");
  EXPECT_EQ(firstError(this->calls(this->client).list({.startingAfter = "pr_1"}))->param(), "starting_after");
  EXPECT_EQ(firstError(this->calls(this->client).list({.endingBefore = "pr_1"}))->param(), "ending_before");
  EXPECT_TRUE(this->service.requests().list().empty());
  const auto record = this->insert();
  EXPECT_EQ(this->get(std::string{Calls<TypeParam>::path} + '/' + record.id.str()).status, 404);
}

template <class T>
class InsertedResource : public Resources {};

using InsertedTypes = testing::Types<DataExport, ReportingReportRun, TaxRegistration>;
TYPED_TEST_SUITE(InsertedResource, InsertedTypes, ObjectNames);

TYPED_TEST(InsertedResource, CanBeListedForwardAndBackward) {
  Ids ids;
  for (int i = 0; i < 5; ++i) {
    this->pass();
    ids.insert(ids.begin(), this->service.template insert<TypeParam>(this->key).id.str());
  }
  const auto calls = Calls<TypeParam>::of(this->client);
  EXPECT_EQ(idsOf(calls.list({.limit = 2})), ids);
  EXPECT_EQ(idsOf(calls.list({.limit = 2, .startingAfter = ids[1]})), Ids(ids.begin() + 2, ids.end()));
  EXPECT_EQ(idsOf(calls.list({.limit = 2, .endingBefore = ids.back()})), Ids(ids.rbegin() + 1, ids.rend()));
  EXPECT_EQ(firstPage(calls.list()).url, Calls<TypeParam>::path);
}

TYPED_TEST(InsertedResource, IsInvisibleInTheOtherModeAndToOtherAccounts) {
  (void)this->service.template insert<TypeParam>(this->key);
  EXPECT_TRUE(idsOf(Calls<TypeParam>::of(this->live).list()).empty());
  EXPECT_TRUE(idsOf(Calls<TypeParam>::of(this->stranger).list()).empty());
}

TYPED_TEST(InsertedResource, HasNoRetrieveOrCreateOperation) {
  const auto object = this->service.template insert<TypeParam>(this->key);
  const std::string path = Calls<TypeParam>::path;
  EXPECT_EQ(this->get(path + '/' + object.id.str()).status, 404);
  EXPECT_EQ(this->post(path, "").status, 405);
}

class PaymentIntentOperations : public Resources {
 protected:
  PaymentIntents intents = client.paymentIntents();
};

TEST_F(PaymentIntentOperations, CreateAnIntentWithAnAmountADescriptionAndMetadata) {
  const auto made = intents
                        .create({.amount = 7'000,
                                 .currency = "jpy",
                                 .description = "Tea & \"biscuits\"",
                                 .metadata = {{"order", "42"}}})
                        .value();
  EXPECT_EQ(made.amount, 7'000);
  EXPECT_EQ(made.currency, "jpy");
  EXPECT_TRUE(service.requests().list().back().request.body.starts_with("amount=7000&currency=jpy&"));
  EXPECT_EQ(made.description, "Tea & \"biscuits\"");
  EXPECT_EQ(made.metadata, (Metadata{{"order", "42"}}));
}

TEST_F(PaymentIntentOperations, RequireAnAmountAndAValidCurrencyToCreateAnIntent) {
  EXPECT_EQ(intents.create({}).error().param(), "amount");
  EXPECT_EQ(intents.create({.amount = 5}).error().param(), "currency");
  for (const char* currency : {"", "x", "EUR", "euro", "eu1", "e r"}) {
    const Error error = intents.create({.amount = 5, .currency = currency}).error();
    EXPECT_EQ(error.param(), "currency") << currency;
    EXPECT_EQ(error.kind(), ErrorKind::invalidParameter) << currency << ": nothing is sent";
  }
  EXPECT_TRUE(idsOf(intents.list()).empty());
}

TEST_F(PaymentIntentOperations, UpdateOnlyTheGivenFields) {
  auto expected = create<PaymentIntent>(client);
  expected.description = "Tea";
  expected.metadata = {{"order", "42"}};
  pass();
  EXPECT_EQ(intents.update(expected.id, {.description = "Tea", .metadata = {{"order", "42"}}}).value(),
            expected);
  expected.metadata.clear();
  EXPECT_EQ(intents.update(expected.id, {.metadata = MetadataEdit::unsetAll()}).value(), expected);
  EXPECT_EQ(intents.retrieve(expected.id).value(), expected);
}

TEST_F(PaymentIntentOperations, RefuseToUpdateAnIntentOfTheOtherMode) {
  const auto made = create<PaymentIntent>(client);
  EXPECT_EQ(live.paymentIntents().update(made.id, {.description = "Tea"}).error().status(), 404);
  EXPECT_EQ(intents.retrieve(made.id).value(), made);
}

TEST_F(PaymentIntentOperations, FindIntentsByFieldsAndMetadata) {
  const auto small =
      intents.create({.amount = 5, .currency = "eur", .description = "Tea", .metadata = {{"till", "left"}}})
          .value();
  pass();
  const auto large = intents.create({.amount = 9'000, .currency = "usd"}).value();
  const auto found = [&](const std::string& query) {
    return idsOf(intents.search({.query = query, .limit = 1}));
  };
  EXPECT_EQ(found("created>0"), (Ids{large.id.str(), small.id.str()}));
  EXPECT_EQ(found("amount<100"), (Ids{small.id.str()}));
  EXPECT_EQ(found("currency:\"usd\""), (Ids{large.id.str()}));
  EXPECT_EQ(found("description:\"Tea\""), (Ids{small.id.str()}));
  EXPECT_EQ(found("metadata[\"till\"]:\"left\""), (Ids{small.id.str()}));
  const auto noCurrency = intents.search({.query = "currency:\"USD\""}).collect(1);
  ASSERT_TRUE(noCurrency.has_error());
  EXPECT_EQ(noCurrency.error().param(), "query");
  EXPECT_TRUE(idsOf(live.paymentIntents().search({.query = "created>0"})).empty());
}

class SubscriptionOperations : public Resources {
 protected:
  Subscriptions subscriptions = client.subscriptions();
};

TEST_F(SubscriptionOperations, CreateASubscriptionWithAQuantityADescriptionAndMetadata) {
  const auto made =
      subscriptions.create({.quantity = 3, .description = "Milk", .metadata = {{"door", "back"}}}).value();
  EXPECT_EQ(made.quantity, 3);
  EXPECT_EQ(made.description, "Milk");
  EXPECT_EQ(made.metadata, (Metadata{{"door", "back"}}));
  EXPECT_EQ(subscriptions.create().value().quantity, 1) << "default";
}

TEST_F(SubscriptionOperations, UpdateOnlyTheGivenFields) {
  auto expected = subscriptions.create({.quantity = 3, .description = "Milk"}).value();
  expected.quantity = 0;
  pass();
  EXPECT_EQ(subscriptions.update(expected.id, {.quantity = 0}).value(), expected);
  expected.description = "Cream";
  EXPECT_EQ(subscriptions.update(expected.id, {.description = "Cream"}).value(), expected);
  EXPECT_EQ(subscriptions.retrieve(expected.id).value(), expected);
}

TEST_F(SubscriptionOperations, RefuseANegativeQuantity) {
  const auto made = create<Subscription>(client);
  EXPECT_EQ(subscriptions.create({.quantity = -1}).error().param(), "quantity");
  EXPECT_EQ(subscriptions.update(made.id, {.quantity = -1}).error().param(), "quantity");
  EXPECT_EQ(subscriptions.retrieve(made.id).value(), made);
}

TEST_F(SubscriptionOperations, FindSubscriptionsByFieldsAndMetadata) {
  const auto milk =
      subscriptions.create({.quantity = 3, .description = "Milk", .metadata = {{"door", "back"}}}).value();
  pass();
  const auto bread = subscriptions.create({.quantity = 8, .description = "Bread"}).value();
  const auto found = [&](const std::string& query) {
    return idsOf(subscriptions.search({.query = query, .limit = 1}));
  };
  EXPECT_EQ(found("created>0"), (Ids{bread.id.str(), milk.id.str()}));
  EXPECT_EQ(found("quantity>=8"), (Ids{bread.id.str()}));
  EXPECT_EQ(found("description~\"mil\""), (Ids{milk.id.str()}));
  EXPECT_EQ(found("metadata[\"door\"]:\"back\""), (Ids{milk.id.str()}));
  EXPECT_TRUE(idsOf(live.subscriptions().search({.query = "created>0"})).empty());
}

class InvoiceOperations : public Resources {
 protected:
  Invoices invoices = client.invoices();
  Id<Subscription> milk = create<Subscription>(client).id;
  Id<Subscription> bread = create<Subscription>(client).id;

  Invoice createFor(const Id<Subscription>& subscription, const MetadataEdit& metadata = {}) {
    pass();
    return invoices.create({.subscription = subscription, .metadata = metadata}).value();
  }
};

TEST_F(InvoiceOperations, CreateAnInvoiceWithASubscriptionAndMetadata) {
  const auto made = createFor(milk, {{"week", "1"}});
  EXPECT_EQ(made.subscription, milk);
  EXPECT_EQ(made.metadata, (Metadata{{"week", "1"}}));
}

TEST_F(InvoiceOperations, RefuseToListTheInvoicesOfAMissingSubscription) {
  createFor(milk);
  const auto elsewhere = create<Subscription>(live).id;
  for (const Id<Subscription>& unseen : {elsewhere, Id<Subscription>{"sub_nobody"}}) {
    const auto error = firstError(invoices.list({.subscription = unseen}));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->status(), 404);
    EXPECT_EQ(error->code(), error_code::resourceMissing);
    EXPECT_EQ(error->param(), "subscription");
  }
}

TEST_F(InvoiceOperations, RefuseToCreateAnInvoiceForAMissingOrInvalidSubscription) {
  const auto elsewhere = create<Subscription>(live).id;
  for (const Id<Subscription>& unseen : {elsewhere, Id<Subscription>{"sub_nobody"}}) {
    const Error error = invoices.create({.subscription = unseen}).error();
    EXPECT_EQ(error.status(), 404);
    EXPECT_EQ(error.code(), error_code::resourceMissing);
    EXPECT_EQ(error.param(), "subscription");
    EXPECT_EQ(error.effect(), Effect::none);
  }
  EXPECT_EQ(invoices.create({}).error().param(), "subscription");
  EXPECT_EQ(invoices.create({.subscription = "pi_1"}).error().param(), "subscription");
  EXPECT_TRUE(idsOf(invoices.list()).empty());
}

TEST_F(InvoiceOperations, FilterListsBySubscription) {
  const auto first = createFor(milk).id.str();
  createFor(bread);
  const auto second = createFor(milk).id.str();
  EXPECT_EQ(idsOf(invoices.list({.limit = 1, .subscription = milk})), (Ids{second, first}));
  EXPECT_EQ(idsOf(invoices.list({.endingBefore = first, .subscription = milk})), (Ids{second}));
  EXPECT_EQ(firstError(invoices.list({.subscription = "pi_1"}))->param(), "subscription");
}

TEST_F(InvoiceOperations, FindInvoicesByFieldsAndMetadata) {
  const auto first = createFor(milk, {{"week", "1"}}).id.str();
  const auto second = createFor(bread).id.str();
  const auto found = [&](const std::string& query) {
    return idsOf(invoices.search({.query = query, .limit = 1}));
  };
  EXPECT_EQ(found("created>0"), (Ids{second, first}));
  EXPECT_EQ(found("subscription:\"" + bread.str() + '"'), (Ids{second}));
  EXPECT_EQ(found("metadata[\"week\"]:\"1\""), (Ids{first}));
  EXPECT_TRUE(idsOf(live.invoices().search({.query = "created>0"})).empty());
}

class OtherOperations : public Resources {};

TEST_F(OtherOperations, CreateAFileFromAPurposeAndAFilename) {
  const auto made = client.files().create({.purpose = "anything", .filename = "ä b.txt"}).value();
  EXPECT_EQ(made.purpose, "anything");
  EXPECT_EQ(made.filename, "ä b.txt");
  EXPECT_EQ(client.files().create({.filename = "a"}).error().param(), "purpose");
  EXPECT_EQ(client.files().create({.purpose = "a"}).error().param(), "filename");
}

TEST_F(OtherOperations, CreateAPayoutFromAnAmountADescriptionAndMetadata) {
  const auto made =
      client.payouts()
          .create({.amount = 5, .currency = "eur", .description = "May", .metadata = {{"bank", "1"}}})
          .value();
  EXPECT_EQ(made.amount, 5);
  EXPECT_EQ(made.currency, "eur");
  EXPECT_EQ(made.description, "May");
  EXPECT_EQ(made.metadata, (Metadata{{"bank", "1"}}));
  EXPECT_EQ(client.payouts().create({}).error().param(), "amount");
}

TEST_F(OtherOperations, IgnoreAnIdempotencyKey) {
  HttpRequest create = test::post(account.sandboxKey, "/v1/payouts", "amount=5&currency=eur");
  create.headers.push_back({"Idempotency-Key", "one"});
  const auto first = test::bodyOf(service.handle(create));
  const auto second = test::bodyOf(service.handle(create));
  EXPECT_NE(first.at("id"), second.at("id"));
  EXPECT_EQ(test::idsOf(test::bodyOf(get("/v1/payouts"))).size(), 2U);
}

TEST_F(OtherOperations, CreateAnIssuingCardFromADescriptionAndMetadata) {
  const auto made = client.issuingCards().create({.description = "Fuel", .metadata = {{"car", "3"}}}).value();
  EXPECT_EQ(made.description, "Fuel");
  EXPECT_EQ(made.metadata, (Metadata{{"car", "3"}}));
}

TEST_F(OtherOperations, CreateAnAccountFromACountryAndMetadata) {
  const auto made = client.accounts().create({.country = "NO", .metadata = {{"shop", "3"}}}).value();
  EXPECT_EQ(made.country, "NO");
  EXPECT_EQ(made.metadata, (Metadata{{"shop", "3"}}));
}

TEST_F(OtherOperations, TreatNullOrEmptyMetadataAsNoMetadata) {
  for (const char* body : {R"({"metadata":null})", R"({"metadata":{"shop":null}})", R"({"metadata":""})"}) {
    const auto response =
        service.handle(test::post(account.sandboxKey, "/v2/core/accounts", body, "application/json"));
    EXPECT_EQ(response.status, 200) << body;
    EXPECT_TRUE(test::bodyOf(response).at("metadata").as_object().empty()) << body;
    pass();
  }
}

TEST_F(OtherOperations, CreateACoreAccountFromJson) {
  const auto made = client.coreAccounts().create({.country = "\"NO\"", .metadata = {{"shop", "3"}}}).value();
  EXPECT_TRUE(made.id.str().starts_with("acct_"));
  EXPECT_EQ(made.created, now());
  EXPECT_FALSE(made.livemode);
  EXPECT_EQ(made.country, "\"NO\"");
  EXPECT_EQ(made.metadata, (Metadata{{"shop", "3"}}));
  const auto sent = service.requests().list().back().request;
  EXPECT_TRUE(sent.url.ends_with("/v2/core/accounts"));
  EXPECT_EQ(sent.body, R"({"country":"\"NO\"","metadata":{"shop":"3"}})");
  pass();
  EXPECT_TRUE(live.coreAccounts().create().value().livemode);
  EXPECT_EQ(get("/v2/core/accounts").status, 405);
}

class AccountsOfBothVersions : public Resources {
 protected:
  /// Whether the client's account may act for another.
  bool actsFor(const Client& platform, const std::string& id) {
    return platform.payouts().create({.amount = 5, .currency = "eur"}, {.connectedAccount = id}).has_value();
  }
};

TEST_F(AccountsOfBothVersions, CanBeRetrievedAndListedThroughTheFirstVersion) {
  const auto core = client.coreAccounts().create({.country = "NO", .metadata = {{"shop", "3"}}}).value();
  const auto seen = client.accounts().retrieve(core.id.str()).value();
  EXPECT_EQ(seen.country, "NO");
  EXPECT_EQ(seen.metadata, core.metadata);
  EXPECT_EQ(seen.created, core.created);
  EXPECT_FALSE(seen.livemode);
  EXPECT_EQ(idsOf(client.accounts().list()), (Ids{core.id.str()}));
  EXPECT_TRUE(idsOf(live.accounts().list()).empty());
}

TEST_F(AccountsOfBothVersions, IncludeAccountsConnectedByATest) {
  const auto shop = service.addAccount({.country = "NO"});
  EXPECT_TRUE(idsOf(client.accounts().list()).empty());
  service.connections().connect(account, shop);
  service.connections().connect(account, shop);
  for (const Client& by : {client, live}) {
    EXPECT_EQ(idsOf(by.accounts().list()), (Ids{shop.id}));
    EXPECT_EQ(by.accounts().retrieve(shop.id).value().country, "NO");
  }
  EXPECT_TRUE(live.accounts().retrieve(shop.id).value().livemode);
}

TEST_F(AccountsOfBothVersions, IncludeAccountsInsertedByATest) {
  const auto shop = service.insert<Account>(account.sandboxKey, [](Account& made) { made.country = "NO"; });
  EXPECT_TRUE(actsFor(client, shop.id.str()));
  EXPECT_FALSE(actsFor(live, shop.id.str()));
  service.limits().set({.limit = "card_creation", .value = 0, .country = "NO"});
  const Client ownClient{service.clientOptions(service.accounts().get(shop.id.str()).sandboxKey)};
  EXPECT_EQ(ownClient.issuingCards().create().error().status(), 429) << "it is in the country of the object";
  const auto core = service.insert<CoreAccount>(account.liveKey);
  EXPECT_TRUE(actsFor(live, core.id.str()));
  EXPECT_EQ(idsOf(live.accounts().list()), (Ids{core.id.str()}));
}

TEST_F(AccountsOfBothVersions, AreListedOnceIfInsertedAndConnected) {
  const auto shop = service.addAccount();
  const auto inserted =
      service.insert<Account>(account.sandboxKey, [&](Account& made) { made.id = shop.id; });
  EXPECT_TRUE(actsFor(client, shop.id));
  EXPECT_EQ(service.accounts().get(shop.id).sandboxKey, shop.sandboxKey);
  service.connections().connect(account, shop);
  EXPECT_EQ(client.accounts().retrieve(shop.id).value(), inserted) << "inserted objects are unchanged";
  EXPECT_EQ(idsOf(client.accounts().list()), (Ids{shop.id}));
}

}  // namespace
}  // namespace tally::conformance
