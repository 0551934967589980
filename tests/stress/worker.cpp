#include "worker.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "ledger.h"

namespace tally::stress {

namespace {

using namespace std::chrono_literals;
using test::AnyReport;
using test::Outcome;

/// Low enough for threads to collide, high enough that no record is guaranteed too early.
constexpr std::size_t contestedRecords = 4;
constexpr int walkTries = 30;

Said saidBy(const Error& error) {
  return error.effect() == Effect::none ? Said::didNot : Said::mayHave;
}

template <class T>
Said saidBy(const Result<T>& result) {
  return result ? Said::happened : saidBy(result.error());
}

Said saidBy(ReportStatus status) {
  if (status == ReportStatus::applied) return Said::happened;
  return status == ReportStatus::notApplied ? Said::didNot : Said::mayHave;
}

bool shows(const PaymentRecord& record, const AnyReport& report) {
  const Amount none{record.amountRequested.currency, 0};
  const auto is = [&](const Amount& amount, Outcome outcome) {
    return amount == (report.outcome == outcome ? record.amountRequested : none);
  };
  return is(record.amountCanceled, Outcome::canceled) && is(record.amountFailed, Outcome::failed) &&
         is(record.amountGuaranteed, Outcome::guaranteed) && report.isVisibleIn(record.metadata);
}

}  // namespace

void Worker::work(int calls) {
  for (int i = 0; i < calls; ++i)
    call();
}

void Worker::call() {
  switch (random_.below(20)) {
    case 0:
      return random_.oneIn(2) ? list() : search();
    case 1:
      return sendWhatIsWrong();
    case 2:
    case 3:
      return createIntent();
    case 4:
    case 5:
    case 6:
      return retrieve();
    default:
      return report();
  }
}

MetadataEdit Worker::numbered() {
  MetadataEdit edit = random_.oneIn(8) ? MetadataEdit::unsetAll() : MetadataEdit{};
  edit.set(numberKey, std::to_string(number_));
  if (random_.oneIn(4)) edit.set("order", "42");
  if (random_.oneIn(4)) edit.unset("till");
  return edit;
}

AnyReport Worker::anyReport() {
  ++number_;
  const Outcome outcome = random_.oneIn(40)  ? Outcome::guaranteed
                          : random_.oneIn(2) ? Outcome::failed
                                             : Outcome::canceled;
  return {outcome, numbered(), std::chrono::sys_seconds{std::chrono::seconds{number_}}};
}

RequestOptions Worker::anyOptions() {
  RequestOptions options{.headers = {{callHeader, std::to_string(++call_)}}};
  if (random_.oneIn(6)) options.deadline = world_.clock().now() + random_.upTo(2s);
  if (random_.oneIn(6)) options.stop = stopTokens_.next();
  return options;
}

void Worker::report() {
  const Shop& shop = random_.oneOf(world_.shops);
  const Client& client = random_.oneOf(shop.clients);
  const auto& id = shop.records[random_.below(random_.oneIn(2) ? contestedRecords : shop.records.size())];
  const AnyReport report = anyReport();
  std::vector<Attempt> attempts;
  RequestOptions options = anyOptions();
  options.attempts = &attempts;
  const auto result = report.send(client.paymentRecords(), id, options);
  Claim claim{number_, saidBy(result), nameOf(report.outcome) + " on " + id.str()};
  note(result, attempts, claim.what);
  if (result) check(shows(result.value(), report), claim.what + " gets a response whose record lacks it");
  if (claim.said == Said::mayHave && !random_.oneIn(3)) learn(client, id, report, claim);
  claims_.push_back(std::move(claim));
}

void Worker::learn(const Client& client, const Id<PaymentRecord>& id, const AnyReport& report, Claim& claim) {
  AnyReport::Check known;
  if (random_.oneIn(8)) known.attempt = "par_another";
  const RequestOptions options = anyOptions();
  const auto told = random_.oneIn(3) ? report.checkReport(client.paymentRecords(), id, known, options)
                                     : report.resolveReport(client.paymentRecords(), id, known, options);
  claim.what += ", of which was asked";
  if (told.has_error())
    return check(told.error().effect() == Effect::unknown,
                 claim.what + " could not be read, but its effect is not unknown");
  claim.said = saidBy(told.value().status);
  check(told.value().status != ReportStatus::applied || shows(told.value().object, report),
        claim.what + " is reported as applied, but its record lacks it");
  check(!known.attempt || told.value().noResendReason == NoResendReason::otherAttempt,
        claim.what + " is about another attempt, but is reported otherwise");
  note(told.value(), claim.what);
}

/// Records what the last call, to resolveReport() or checkReport(), sent.
void Worker::note(const ReportCheck<PaymentRecord>& told, const std::string& what) {
  const auto sent = static_cast<std::size_t>(told.resends);
  const Said otherwise = sent == 0 ? Said::didNot : Said::mayHave;
  sendings_.push_back({call_, told.error ? saidBy(*told.error) : otherwise, sent, what});
  check((told.noResendReason == NoResendReason::applied) == (told.status == ReportStatus::applied),
        what + " is reported as applied in one place and not in another");
  check(told.error || told.noResendReason != NoResendReason::failed, what + " has failed without an error");
  if (!told.error) return;
  check(told.error->attemptCount() == told.resends,
        what + " ends in an error with another number of attempts");
  check(told.error->attempts().size() == sent, what + " ends in an error without all of its attempts");
}

template <class T>
void Worker::note(const Result<T>& result, const std::vector<Attempt>& attempts, const std::string& what) {
  sendings_.push_back({call_, saidBy(result), attempts.size(), what});
  if (result) return;
  check(static_cast<std::size_t>(result.error().attemptCount()) == attempts.size(),
        what + " ends in an error with another number of attempts");
  check(result.error().attempts().size() == attempts.size(), what + " ends in an error without its attempts");
}

void Worker::createIntent() {
  const Client& client = random_.oneOf(random_.oneOf(world_.shops).clients);
  ++number_;
  std::vector<Attempt> attempts;
  RequestOptions options = anyOptions();
  options.attempts = &attempts;
  const auto result =
      client.paymentIntents().create({.amount = 100, .currency = "eur", .metadata = numbered()}, options);
  note(result, attempts, "an intent");
  claims_.push_back({number_, saidBy(result), "an intent"});
}

void Worker::retrieve() {
  const Shop& shop = random_.oneOf(world_.shops);
  const auto& id = random_.oneOf(shop.records);
  const auto record = random_.oneOf(shop.clients).paymentRecords().retrieve(id, anyOptions());
  if (record) check(record.value().id == id, "another record is retrieved than was asked for");
  if (!record) check(record.error().effect() == Effect::none, "a read is reported to have an effect");
}

void Worker::list() {
  const Shop& shop = random_.oneOf(world_.shops);
  const auto records = random_.oneOf(shop.clients).paymentRecords();
  walk(shop, records.list({.limit = 1 + static_cast<std::int64_t>(random_.below(30))}));
}

void Worker::search() {
  const Shop& shop = random_.oneOf(world_.shops);
  const auto records = random_.oneOf(shop.clients).paymentRecords();
  walk(shop,
       records.search({.query = "created>0", .limit = 1 + static_cast<std::int64_t>(random_.below(30))}));
}

/// Whatever fails on the way, every record is eventually returned exactly once. No record is created or
/// deleted in the meantime.
void Worker::walk(const Shop& shop, Pager<PaymentRecord> pager) {
  std::vector<Id<PaymentRecord>> seen;
  for (int i = 0; i < walkTries; ++i) {
    bool failed = false;
    for (const auto& record : pager) {
      failed = record.has_error();
      if (!failed) seen.push_back(record.value().id);
    }
    if (failed) continue;
    std::ranges::reverse(seen);
    return check(seen == shop.records, "a walk gave other records than there are");
  }
}

/// Invalid requests must not reach the service or count toward its limits.
void Worker::sendWhatIsWrong() {
  const auto records = random_.oneOf(random_.oneOf(world_.shops).clients).paymentRecords();
  ++number_;
  const auto result =
      records.reportFailed("not_a_record", {.failedAt = std::chrono::sys_seconds{}, .metadata = numbered()});
  check(!result && result.error().kind() == ErrorKind::invalidParameter, "a wrong identifier is sent");
  claims_.push_back({number_, saidBy(result), "what is wrong"});
}

}  // namespace tally::stress
