#include "simulation/checker/checker.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include <tally/error_codes.h>
#include <tally/fake/sent_request.h>
#include <tally/json.h>

#include "stress/sending.h"

namespace tally::simulation {

namespace {

/// `pr_1` of `…/v1/payment_records/pr_1/report_payment_attempt_failed`, for changes to an object.
std::string changedObject(const HttpRequest& request) {
  if (request.method != Method::post) return {};
  const std::string path = fake::sentPath(request);
  const auto id = std::ranges::count(path, '/') == 4 ? path.substr(0, path.rfind('/')) : path;
  const std::string last = id.substr(id.rfind('/') + 1);
  return last.find('_') != std::string::npos && std::ranges::count(path, '/') >= 3 ? last : std::string{};
}

std::string keyOf(const HttpRequest& request) {
  constexpr std::string_view bearer = "Bearer ";
  for (const Header& header : request.headers)
    if (header.name == "Authorization") return header.value.substr(bearer.size());
  return {};
}

/// The subscription that a request for an invoice names.
std::string subscriptionIn(const HttpRequest& request) {
  constexpr std::string_view name = "subscription=";
  const auto at = request.body.find(name);
  if (at == std::string::npos) return {};
  const auto begin = at + name.size();
  return request.body.substr(begin, request.body.find('&', begin) - begin);
}

bool isByRate(const std::string& limit) {
  return limit != "global_concurrency" && limit != "endpoint_concurrency" && limit != "payouts_in_progress" &&
         !limit.starts_with("read_allocation");
}

std::string textOf(Said said) {
  if (said == Said::happened) return "applied";
  return said == Said::didNot ? "not applied" : "unclear";
}

}  // namespace

Said saidBy(const Error& error) {
  return error.effect() == Effect::none ? Said::didNot : Said::mayHave;
}

PaymentRecord Checker::insertRecord(const std::string& key) {
  PaymentRecord record = service_.insert<PaymentRecord>(key);
  auto& order = order_[key];
  records_.emplace(
      record.id.str(),
      Record{key, {record, service_.objects().stateOf(key, record.id.str()).value(), order.size()}});
  order.push_back(record.id.str());
  return record;
}

std::string Checker::recordBefore(const std::string& id) const {
  const auto at = records_.find(id);
  if (at == records_.end() || at->second.model.position() == 0) return {};
  return order_.at(at->second.key)[at->second.model.position() - 1];
}

std::uint64_t Checker::announce(const std::string& object, std::uint64_t stream) {
  changes_.push_back({.object = object, .stream = stream});
  return changes_.size() - 1;
}

void Checker::told(std::uint64_t number, Said said, const std::string& by) {
  Change& change = changes_[number];
  history_.step("told", number, [&] {
    return by + " is informed that change " + std::to_string(number) + " of " + change.object + " is " +
           textOf(said);
  });
  const std::string what = "change " + std::to_string(number) + " of " + change.object + ", by " + by;
  if (change.said && change.said != Said::mayHave)
    require(said == change.said, "reported once",
            what + ", is reported as " + textOf(said) + " after it was reported as " + textOf(*change.said),
            number);
  change.said = said;
  require(said != Said::happened || change.applied == 1, "success is true",
          what + ", is reported as applied, but was applied " + std::to_string(change.applied) + " times",
          number);
  require(said != Said::didNot || change.applied == 0, "failure has no effect",
          what + ", is reported as not applied, but was applied", number);
}

void Checker::told(std::uint64_t number, Said said, std::size_t requests, const std::string& by) {
  const Change& change = changes_[number];
  require(requests == change.sent, "requests are counted",
          "change " + std::to_string(number) + ", by " + by + ", is reported as sent " +
              std::to_string(requests) + " times, but was sent " + std::to_string(change.sent) + " times",
          number);
  require(said != Said::mayHave || change.sent != 0, "unclear only if sent",
          "change " + std::to_string(number) + ", by " + by + ", is unclear, and was never sent", number);
  told(number, said, by);
}

void Checker::sees(std::uint64_t number, const PaymentRecord& seen) {
  const Change& change = changes_[number];
  const std::size_t version = change.version;
  require(seen.id == change.object && record(change.object).shows(seen, version, version),
          "a response shows the change",
          "the response to change " + std::to_string(number) + " does not show it in " + seen.id.str(),
          number);
}

void Checker::reads(const PaymentRecord& seen, std::size_t since) {
  const RecordModel& model = record(seen.id.str());
  require(model.shows(seen, since, model.version()), "a read shows what is",
          seen.id.str() + " is read in a version that it has not had since the read began");
}

std::uint64_t Checker::numberOf(const HttpRequest& request) {
  if (request.method != Method::post) return 0;
  for (const Header& header : request.headers)
    if (header.name == stress::callHeader) return std::stoull(header.value);
  for (const fake::SentParam& param : fake::sentParams(request))
    if (param.name == "metadata[" + std::string{numberKey} + ']') return std::stoull(param.value);
  return 0;
}

std::uint64_t Checker::departs(Sender& sender, const HttpRequest& request) {
  const std::uint64_t number = numberOf(request);
  if (request.method != Method::post) return number;
  require(number != 0 && number < changes_.size(), "nobody sends more",
          sender.name + " sends what nobody asked for");
  if (history_.isViolated()) return number;
  ++changes_[number].sent;
  if (!sender.isQueued) return number;
  if (const std::string object = changedObject(request); !object.empty())
    require(sender.changing.insert(object).second, "one change at a time",
            sender.name + " sends change " + std::to_string(number) + " of " + object +
                " while another one is in flight",
            number);
  return number;
}

void Checker::returns(Sender& sender, const HttpRequest& request) {
  if (sender.isQueued && request.method == Method::post) sender.changing.erase(changedObject(request));
}

void Checker::readLog(Sender& sender, const HttpRequest& request, bool isLate, Broken broken) {
  for (fake::LoggedRequest& entry : service_.requests().list(logged_)) {
    logged_ = entry.number;
    ++requests_;
    if (broken == Broken::appliesAfterGuaranteed &&
        entry.errorCode == error_code::paymentAttemptAlreadyGuaranteed)
      entry.processed = true;
    history_.step("logged", entry.number, [&] {
      std::ostringstream text;
      text << sender.name << ": " << entry << ", change " << numberOf(request);
      return std::move(text).str();
    });
    check(sender, entry, request, isLate);
  }
}

void Checker::check(Sender& sender, const fake::LoggedRequest& entry, const HttpRequest& request,
                    bool isLate) {
  if (!entry.limit.empty()) {
    ++history_.outcome().counts["refused: " + entry.limit];
    require(!sender.isPaced || !isByRate(entry.limit), "a pacer obeys the limits",
            sender.name + " is refused by " + entry.limit);
  } else if (!entry.errorCode.empty()) {
    ++history_.outcome().counts["error: " + entry.errorCode];
  }
  if (entry.fault != fake::Fault::none)
    ++history_.outcome().counts["fault: " + std::string{toString(entry.fault)}];
  if (std::string wrong = limits_.count(entry, keyOf(request), subscriptionIn(request)); !wrong.empty()) {
    std::ostringstream text;
    text << entry << ' ' << wrong;
    history_.violate("limits hold", std::move(text).str());
  }
  if (entry.processed && entry.method == "POST") applied(sender, entry, request, isLate);
}

void Checker::applied(Sender& sender, const fake::LoggedRequest& entry, const HttpRequest& request,
                      bool isLate) {
  const std::uint64_t number = numberOf(request);
  if (number == 0 || number >= changes_.size()) return;  // departs() has found it
  Change& change = changes_[number];
  const std::string what =
      "change " + std::to_string(number) + " of " + change.object + ", by " + sender.name + ',';
  ++change.applied;
  require(change.applied == 1, "no change twice", what + " is applied again", number);
  require(change.said != Said::didNot, "failure has no effect",
          what + " is applied after it was reported as not applied", number);
  const auto at = records_.find(entry.object);
  if (at == records_.end()) return;
  const std::string wrong = at->second.model.apply(entry.operation, fake::sentParams(request));
  change.version = at->second.model.version();
  require(wrong.empty(), "the state machine",
          entry.object + ' ' + wrong + ", by change " + std::to_string(number), number);
  checkOrder(sender, number, change, isLate);
}

void Checker::checkOrder(Sender& sender, std::uint64_t number, Change& change, bool isLate) {
  const auto inOrder = [&](std::uint64_t& last) {
    require(last < number, "in order",
            "change " + std::to_string(number) + " of " + change.object + ", by " + sender.name +
                ", is applied after change " + std::to_string(last),
            number);
    last = std::max(last, number);
  };
  if (change.stream != 0) inOrder(records_.at(change.object).lastOfStream[change.stream]);
  if (sender.isQueued && !isLate && !change.object.empty()) inOrder(sender.lastApplied[change.object]);
}

void Checker::compareStore() {
  for (const auto& [id, record] : records_) {
    const auto stored = service_.objects().get(record.key, id);
    const auto read = fromJson<PaymentRecord>(stored->json);
    require(stored->state == record.model.state() && read && record.model.showsNow(read.value()),
            "the store is true", id + " is not stored as its reports left it");
  }
}

}  // namespace tally::simulation
