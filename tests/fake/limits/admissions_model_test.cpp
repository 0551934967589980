// 100,000 requests, of which the fake admits exactly those that AdmissionsModel admits: from platforms,
// connected and other accounts, in both modes, with every limit of the specification.

#include "fake/support/admissions_model.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <tally/fake/service.h>

#include <gtest/gtest.h>

#include "fake/support/requests.h"

namespace tally::test {

namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::nanoseconds;
using std::chrono::seconds;

/// A kind of request; `*` in path and body is a placeholder for an object of `resource`.
struct RequestKind {
  std::string operation{};
  Method method = Method::get;
  std::string path{};
  std::string resource{};
  std::string body{};
  bool givesQuantity = false;
};

const std::string reportPath = "/v1/payment_records/*/report_payment_attempt_";
const std::string newestPath = "/search?limit=1&query=created>0";

const std::vector<RequestKind> requestKinds{
    {"payment_records.list", Method::get, "/v1/payment_records?limit=1"},
    {"payment_records.retrieve", Method::get, "/v1/payment_records/*", "payment_record"},
    {"payment_records.search", Method::get, "/v1/payment_records" + newestPath},
    {"payment_records.report_canceled", Method::post, reportPath + "canceled", "payment_record",
     "canceled_at=1"},
    {"payment_records.report_failed", Method::post, reportPath + "failed", "payment_record", "failed_at=1"},
    {"payment_intents.create", Method::post, "/v1/payment_intents", "", "amount=1&currency=eur"},
    {"payment_intents.update", Method::post, "/v1/payment_intents/*", "payment_intent", "description=x"},
    {"payment_intents.retrieve", Method::get, "/v1/payment_intents/*", "payment_intent"},
    {"payment_intents.search", Method::get, "/v1/payment_intents" + newestPath},
    {"subscriptions.create", Method::post, "/v1/subscriptions"},
    {"subscriptions.update", Method::post, "/v1/subscriptions/*", "subscription", "quantity=2", true},
    {"subscriptions.update", Method::post, "/v1/subscriptions/*", "subscription", "description=x"},
    {"subscriptions.list", Method::get, "/v1/subscriptions?limit=1"},
    {"subscriptions.search", Method::get, "/v1/subscriptions" + newestPath},
    {"invoices.create", Method::post, "/v1/invoices", "subscription", "subscription=*"},
    {"invoices.list", Method::get, "/v1/invoices?limit=1"},
    {"invoices.search", Method::get, "/v1/invoices" + newestPath},
    {"files.list", Method::get, "/v1/files?limit=1"},
    {"files.retrieve", Method::get, "/v1/files/*", "file"},
    {"files.create", Method::post, "/v1/files", "", "purpose=a&filename=b"},
    {"payouts.list", Method::get, "/v1/payouts?limit=1"},
    {"payouts.retrieve", Method::get, "/v1/payouts/*", "payout"},
    {"payouts.create", Method::post, "/v1/payouts", "", "amount=1&currency=eur"},
    {"accounts.create", Method::post, "/v1/accounts"},
    {"core_accounts.create", Method::post, "/v2/core/accounts", "", "{}"},
    {"issuing_cards.create", Method::post, "/v1/issuing/cards"},
    {"issuing_cards.list", Method::get, "/v1/issuing/cards?limit=1"},
    {"data_exports.list", Method::get, "/v1/data/exports?limit=1"},
    {"reporting_report_runs.list", Method::get, "/v1/reporting/report_runs?limit=1"},
    {"tax_registrations.list", Method::get, "/v1/tax/registrations?limit=1"},
};

/// The key of a request, and the account that it acts for.
struct Sender {
  std::string key{};
  std::string payer{};
  std::string acting{};
  bool live = false;
  bool names = false;  // the account in a header; otherwise, the key determines it
};

std::string withObject(std::string text, const std::string& object) {
  if (const auto star = text.find('*'); star != std::string::npos) text.replace(star, 1, object);
  return text;
}

/// Counts of observed outcomes over all rounds.
using Seen = std::map<std::string, int>;

/// A service and its model, with the same random sequence of requests and changes.
class Admissions {
 public:
  Admissions(std::uint64_t seed, Seen& seen) : random_(seed), seed_(seed), seen_(seen) {
    for (const fake::Account& account : {platform_, first_, second_, other_})
      for (const bool live : {false, true})
        insertObjects(account, live);
    for (const bool live : {false, true}) {
      const auto keyOf = [live](const fake::Account& of) { return live ? of.liveKey : of.sandboxKey; };
      for (const fake::Account& account : {first_, second_}) {
        senders_.push_back({keyOf(platform_), platform_.id, account.id, live, true});
        senders_.push_back({keyOf(account), account.id, account.id, live});
        model_.connect(platform_.id, account.id, live);
      }
      senders_.push_back({service_.tokens().add(platform_, first_, live), platform_.id, first_.id, live});
      senders_.push_back({keyOf(platform_), platform_.id, platform_.id, live});
      senders_.push_back({keyOf(other_), other_.id, other_.id, live});
    }
  }

  /// Tests all limits with bursts of one request, mixed with others. A burst has one sender, except where a
  /// limit counts by the account acted for: bursts of cards rotate over all senders, and those on an object
  /// over the senders that act for its account. False after a difference.
  bool goThroughAll(int requests) {
    if (anyOf(2) == 0) set("global_rate", std::nullopt);
    for (int sent = 0; sent < requests;) {
      if (anyOf(2) == 0) changeSomething();
      const Sender& first = senders_[anyOf(senders_.size())];
      const RequestKind& kind = requestKinds[anyOf(requestKinds.size())];
      const std::vector<Sender> turns = sendersOf(kind, first);
      const std::size_t object = anyOf(2);
      const std::size_t pace = anyOf(paces.size());
      for (std::size_t left = 1 + anyOf(longestBurst(kind)); left != 0 && sent < requests; --left, ++sent) {
        const bool astray = anyOf(10) == 0;
        const Sender& sender = turns[left % turns.size()];
        if (!(astray ? sendAny() : send(sender, kind, object, anyOf(20) == 0))) return false;
        if (left % 64 == 0) hold();
        service_.clock()->advance(anyStep(pace));
      }
    }
    return true;
  }

  /// Tests the read allocation for an account's own reads or for reads on behalf of others. False after a
  /// difference.
  bool read(bool onBehalf, int requests) {
    for (const char* limit : {"global_rate", "endpoint_rate", "file_reads", "searches"})
      set(limit, std::nullopt);
    const Sender& sender = *std::ranges::find_if(senders_, [onBehalf](const Sender& each) {
      return (each.payer != each.acting) == onBehalf && each.live == onBehalf;
    });
    for (int sent = 0; sent < requests; ++sent) {
      const bool filling = sent < requests * 13 / 16;  // uses up the minimum first
      if (!filling && anyOf(150) == 0)
        transact(senders_[anyOf(senders_.size())], 1 + static_cast<std::int64_t>(anyOf(30)));
      if (anyOf(filling ? 20 : 5) == 0)
        service_.clock()->advance(filling ? nanoseconds{minutes{10}} : nanoseconds{hours{2}});
      const bool astray = anyOf(40) == 0;
      if (!(astray ? sendAny() : send(sender, readKinds_[anyOf(readKinds_.size())], 0, false))) return false;
    }
    return true;
  }

 private:
  /// Times between the requests of a burst.
  inline static const std::vector<std::vector<nanoseconds>> paces{
      {nanoseconds{0}},
      {nanoseconds{0}, milliseconds{1}},
      {nanoseconds{0}, milliseconds{10}, milliseconds{40}},
      {milliseconds{40}, milliseconds{100}},
      {nanoseconds{0}, seconds{1} - nanoseconds{1}, seconds{1}},
      {nanoseconds{0}, nanoseconds{1}, milliseconds{1}, seconds{1} - milliseconds{1}},
      {milliseconds{500}, seconds{6}, seconds{60} - nanoseconds{1}},
      {nanoseconds{0}, minutes{1}, hours{1}, days{1} - nanoseconds{1}}};

  /// Long enough to reach the limits of the kind.
  static std::size_t longestBurst(const RequestKind& kind) {
    if (kind.operation == "payment_intents.update") return 1'800;
    if (kind.givesQuantity) return 500;
    return kind.operation.ends_with(".search") ? 400 : 150;
  }

  /// Those who make the requests of a burst in turn.
  [[nodiscard]] std::vector<Sender> sendersOf(const RequestKind& kind, const Sender& first) const {
    if (kind.operation == "issuing_cards.create") return senders_;
    const bool onObject = kind.operation == "payment_intents.update" || kind.givesQuantity ||
                          kind.operation == "invoices.create";
    if (!onObject) return {first};
    std::vector<Sender> senders;
    std::ranges::copy_if(senders_, std::back_inserter(senders), [&](const Sender& each) {
      return each.acting == first.acting && each.live == first.live;
    });
    return senders;
  }

  std::size_t anyOf(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

  nanoseconds anyStep(std::size_t pace) { return paces[pace][anyOf(paces[pace].size())]; }

  /// Reads without enabled limits of their own, including some that are exempt from the allocation.
  static std::vector<RequestKind> readKinds() {
    std::vector<RequestKind> reads;
    for (const RequestKind& kind : requestKinds)
      if (kind.method == Method::get && !kind.operation.ends_with(".search") &&
          !kind.operation.starts_with("payouts.") && !kind.operation.starts_with("tax_") &&
          !kind.operation.starts_with("reporting_"))
        reads.push_back(kind);
    return reads;
  }

  void insertObjects(const fake::Account& account, bool live) {
    const std::string& key = live ? account.liveKey : account.sandboxKey;
    for (const char* resource : {"payment_record", "payment_intent", "subscription", "file", "payout"})
      for (int n = 0; n < 2; ++n)
        objects_[{account.id, live, resource}].push_back(
            text(boost::json::parse(service_.insert(key, resource)).at("id")));
  }

  void set(const std::string& limit, std::optional<std::int64_t> number) {
    service_.limits().set({.limit = limit, .value = number});
    model_.set(limit, number);
  }

  void changeSomething() {
    switch (anyOf(8)) {
      case 0:
        return set("global_concurrency", anyNumber(40));
      case 1:
        return set("endpoint_concurrency", anyNumber(20));
      case 2:
        return set("card_creation", anyNumber(6));
      case 3:
        return set("endpoint_rate", anyOf(2) == 0 ? std::optional<std::int64_t>{25} : anyNumber(30));
      case 4:
        return transact(senders_[anyOf(senders_.size())], 1);
      default:  // back to the defaults
        set("global_concurrency", std::nullopt);
        set("endpoint_concurrency", std::nullopt);
        return set("endpoint_rate", 25);
    }
  }

  /// Sometimes nullopt.
  std::optional<std::int64_t> anyNumber(std::size_t most) {
    if (anyOf(4) == 0) return std::nullopt;
    return static_cast<std::int64_t>(anyOf(most));
  }

  void transact(const Sender& of, std::int64_t count) {
    // Uses the key of the account acted for, because transactions count for that account.
    const fake::Account account = service_.accounts().get(of.acting);
    service_.transactions().record(of.live ? account.liveKey : account.sandboxKey, count);
    model_.transact(of.acting, of.live, service_.clock()->now(), count);
  }

  /// Takes units, or returns those taken last.
  void hold() {
    if (held_) {
      model_.holdConcurrency(held_->payer, held_->live, held_->operation, -held_->units);
      held_.reset();
      return;
    }
    const Sender& sender = senders_[anyOf(senders_.size())];
    const std::string operation = anyOf(2) == 0 ? "" : requestKinds[anyOf(requestKinds.size())].operation;
    const auto units = static_cast<std::int64_t>(1 + anyOf(4));
    held_ = HeldConcurrency{service_.holds().takeConcurrency(sender.key, operation, units), sender.payer,
                            sender.live, operation, units};
    model_.holdConcurrency(sender.payer, sender.live, operation, units);
  }

  bool sendAny() {
    if (anyOf(8) == 0) return sendRefusedAtTheDoor();
    return send(senders_[anyOf(senders_.size())], requestKinds[anyOf(requestKinds.size())], anyOf(2),
                anyOf(20) == 0);
  }

  /// Requests without a valid key, operation or permission do not count toward any limit.
  bool sendRefusedAtTheDoor() {
    const Sender& sender = senders_[anyOf(senders_.size())];
    HttpRequest request = get(sender.key, "/v1/payouts");
    int status = 404;
    switch (anyOf(4)) {
      case 0:
        request.headers[0].value += "x";
        status = 401;
        break;
      case 1:
        request.headers.push_back({"Service-Account", other_.id});
        status = 403;
        break;
      case 2:
        request.url = "/v1/payout";
        break;
      default:
        request.method = Method::post;
        request.url = "/v1/data/exports";
        status = 405;
    }
    const int responded = service_.handle(request).status;
    return responded == status || differs(request, std::to_string(responded), std::to_string(status));
  }

  bool send(const Sender& sender, const RequestKind& kind, std::size_t which, bool wrong) {
    const std::string object =
        kind.resource.empty() ? "" : objects_[{sender.acting, sender.live, kind.resource}][which];
    const HttpRequest http = requestFor(sender, kind, object, wrong);
    const AdmissionRequest request{.operation = kind.operation,
                                   .get = kind.method == Method::get,
                                   .object = object,
                                   .givesQuantity = kind.givesQuantity,
                                   .payer = sender.payer,
                                   .acting = sender.acting,
                                   .live = sender.live};
    const Instant arrived = service_.clock()->now();
    const auto refusal = model_.refusal(request, arrived);
    const HttpResponse response = service_.handle(http);
    const std::string responded = said(response);
    if (refusal) {
      ++seen_[refusal->line];
      const std::string expected =
          refusal->reason.empty() ? "429 read_allocation_exceeded" : "429 rate_limit " + refusal->reason;
      return responded == expected || differs(http, responded, expected + " for " + refusal->line);
    }
    if (!awaitsItsObject(request, http, arrived, responded)) return false;
    const bool changed = !request.get && response.status == 200;
    const Instant end = service_.clock()->now() + options_.duration;
    model_.admit(request, arrived, end, changed);
    if (!changed) return true;
    if (!changedObject(request).empty()) lockedUntil_[object] = end;
    if (kind.operation == "payment_intents.create") {
      model_.transact(sender.acting, sender.live, service_.clock()->now(), 1);
      ++seen_["a payment intent created"];
    }
    return true;
  }

  static HttpRequest requestFor(const Sender& sender, const RequestKind& kind, const std::string& object,
                                bool wrong) {
    const std::string url = withObject(kind.path, object);
    HttpRequest request = get(sender.key, url);
    if (kind.method == Method::post) {
      std::string body = withObject(kind.body, object);
      const bool json = body == "{}";
      if (wrong) body = json ? R"({"bogus":1})" : body + "&bogus=1";
      request = post(sender.key, url, body, json ? "application/json" : "application/x-www-form-urlencoded");
    } else if (wrong) {
      request.url += url.find('?') == std::string::npos ? "?bogus=1" : "&bogus=1";
    }
    if (sender.names) request.headers.push_back({"Service-Account", sender.acting});
    return request;
  }

  /// The object whose lock a request needs; empty if none.
  static std::string changedObject(const AdmissionRequest& request) {
    const bool changes = !request.get && request.operation.find(".create") == std::string::npos;
    return changes ? request.object : "";
  }

  /// Admitted requests wait for the lock of their object, unless they are invalid, and only for a limited
  /// time.
  bool awaitsItsObject(const AdmissionRequest& request, const HttpRequest& http, Instant arrived,
                       const std::string& responded) {
    Instant free = arrived;
    if (responded != "400 parameter_unknown")
      if (const auto locked = lockedUntil_.find(changedObject(request)); locked != lockedUntil_.end())
        free = std::max(arrived, locked->second);
    const bool givesUp = free > arrived && free > arrived + options_.lockWait;
    if (givesUp) ++seen_["lock timeout"];
    if (givesUp != (responded == "429 lock_timeout"))
      return differs(http, responded, givesUp ? "429 lock_timeout" : "admitted");
    if (!givesUp && responded.starts_with("429")) return differs(http, responded, "admitted");
    const Instant processed = givesUp ? arrived + options_.lockWait : free;
    if (service_.clock()->now() == processed) return true;
    return differs(http, "processed at " + toString(service_.clock()->now()), toString(processed));
  }

  /// Status, code and reason.
  static std::string said(const HttpResponse& response) {
    if (response.status == 200) return "200";
    std::string words = std::to_string(response.status) + ' ' + text(bodyOf(response).at("error").at("code"));
    if (const std::string* reason = response.header("Service-Rate-Limited-Reason")) words += ' ' + *reason;
    return words;
  }

  /// Always false.
  bool differs(const HttpRequest& request, const std::string& fake, const std::string& model) const {
    ADD_FAILURE() << "seed " << seed_ << ", request " << service_.requests().list().back() << "\n  "
                  << request << "\n  the fake:  " << fake << "\n  the model: " << model;
    return false;
  }

  struct HeldConcurrency {
    fake::Hold held{};
    std::string payer{};
    bool live = false;
    std::string operation{};
    std::int64_t units = 0;
  };

  std::mt19937_64 random_;
  std::uint64_t seed_;
  Seen& seen_;
  fake::ServiceOptions options_{
      .seed = seed_,
      .duration = std::vector<nanoseconds>{nanoseconds{0}, milliseconds{50}, seconds{2}}[anyOf(3)],
      .lockWait = std::vector<nanoseconds>{nanoseconds{0}, milliseconds{20}, seconds{3}}[anyOf(3)],
      .requestLog = 1};
  fake::Service service_{options_};
  fake::Account platform_ = service_.addAccount();
  fake::Account first_ = connected();
  fake::Account second_ = connected();
  fake::Account other_ = service_.addAccount();
  AdmissionsModel model_{};
  std::vector<Sender> senders_{};
  std::vector<RequestKind> readKinds_ = readKinds();
  std::map<std::tuple<std::string, bool, std::string>, std::vector<std::string>> objects_{};
  std::map<std::string, Instant> lockedUntil_{};
  std::optional<HeldConcurrency> held_{};

  fake::Account connected() {
    fake::Account account = service_.addAccount();
    service_.connections().connect(platform_, account);
    return account;
  }
};

void expectSeen(Seen& seen, std::initializer_list<const char*> lines) {
  for (const char* line : lines)
    EXPECT_GT(seen[line], 0) << "nothing met '" << line << "', so it was not tried";
}

TEST(AdmissionsModel, MatchesTheSpecifiedLimits) {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= 17; ++seed)
    if (!Admissions{seed, seen}.goThroughAll(4'000)) return;
  expectSeen(seen,
             {"all in progress", "payouts in progress", "one endpoint in progress", "all requests, live",
              "all requests, sandbox", "one endpoint", "updates of a payment intent",
              "quantity updates of a subscription", "invoices of a subscription per minute",
              "invoices of a subscription per day", "file reads", "file writes", "payouts created",
              "accounts created, live", "accounts created, sandbox", "searches", "cards created",
              "lock timeout", "a payment intent created"});
}

TEST(AdmissionsModel, MatchesTheSpecifiedReadAllocation) {
  Seen seen;
  if (Admissions{101, seen}.read(false, 16'000)) expectSeen(seen, {"reads of an account"});
}

TEST(AdmissionsModel, MatchesTheAllocationForReadsOnBehalfOfAccounts) {
  Seen seen;
  if (Admissions{102, seen}.read(true, 16'000)) expectSeen(seen, {"reads on behalf of accounts"});
}

}  // namespace

}  // namespace tally::test
