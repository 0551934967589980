#include "ledger.h"

#include <ostream>
#include <sstream>

#include <tally/fake/sent_request.h>

namespace tally::stress {

namespace {

/// The number of the change that a request makes.
std::optional<std::uint64_t> numberIn(const fake::LoggedRequest& logged) {
  for (const fake::SentParam& param : fake::sentParams(logged.request))
    if (param.name == "metadata[" + std::string{numberKey} + ']') return std::stoull(param.value);
  return std::nullopt;
}

/// The number of the call that sent a request.
std::optional<std::uint64_t> callOf(const fake::LoggedRequest& logged) {
  for (const Header& header : logged.request.headers)
    if (header.name == callHeader) return std::stoull(header.value);
  return std::nullopt;
}

/// The service's name for the state that a report leads to.
std::string stateAfter(const std::string& operation) {
  return operation.substr(operation.rfind('_') + 1);
}

const char* wordFor(Said said) {
  switch (said) {
    case Said::happened:
      return "happened";
    case Said::didNot:
      return "did not happen";
    case Said::mayHave:
      break;
  }
  return "may have happened";
}

/// The record in the store, read without faults and limits.
PaymentRecord truth(const fake::Service& copy, const std::string& key, const Id<PaymentRecord>& id) {
  const Client client{{.apiKey = key,
                       .baseUrl = "https://service.test",
                       .transport = copy.transport(),
                       .clock = copy.clock()}};
  while (true) {
    if (const auto record = client.paymentRecords().retrieve(id)) return record.value();
    copy.clock()->advance(std::chrono::seconds{1});
  }
}

bool agree(Said said, int times) {
  return said == Said::mayHave ? times <= 1 : times == (said == Said::happened ? 1 : 0);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Claim& claim) {
  return out << claim.number << ' ' << claim.what << ' ' << wordFor(claim.said);
}

Ledger::Ledger(const std::vector<fake::LoggedRequest>& log) {
  for (const fake::LoggedRequest& logged : log) {
    if (logged.method != "POST") continue;
    const bool done = logged.processed;
    if (const auto call = callOf(logged)) {
      ++calls_[*call].arrived;
      calls_[*call].done += done ? 1 : 0;
    }
    if (!done) continue;
    const auto number = numberIn(logged);
    if (!number) continue;
    ++times_[*number];
    if (!logged.object.empty()) reports_[logged.object].push_back({*number, logged.operation});
  }
}

std::vector<std::string> Ledger::disagreements(const std::vector<Claim>& claims) const {
  std::vector<std::string> found;
  std::map<std::uint64_t, int> unclaimed = times_;
  for (const Claim& claim : claims) {
    const auto at = times_.find(claim.number);
    const int times = at == times_.end() ? 0 : at->second;
    unclaimed.erase(claim.number);
    if (agree(claim.said, times)) continue;
    std::ostringstream text;
    text << claim << ", and was done " << times << " times";
    found.push_back(text.str());
  }
  for (const auto& [number, times] : unclaimed)
    found.push_back(std::to_string(number) + " was done, and nobody asked for it");
  return found;
}

std::vector<std::string> Ledger::disagreements(const std::vector<Sending>& sendings) const {
  std::vector<std::string> found;
  for (const Sending& sending : sendings) {
    const auto at = calls_.find(sending.call);
    const Requests requests = at == calls_.end() ? Requests{} : at->second;
    const std::string call = sending.what + ", by the call " + std::to_string(sending.call) + ", ";
    if (!agree(sending.said, requests.done))
      found.push_back(call + wordFor(sending.said) + ", and was done " + std::to_string(requests.done) +
                      " times");
    if (sending.requests < requests.arrived)
      found.push_back(call + "was sent " + std::to_string(sending.requests) + " times, and arrived " +
                      std::to_string(requests.arrived) + " times");
  }
  return found;
}

std::vector<std::string> Ledger::disagreements(const World& world) const {
  const fake::Service copy = world.service.fork();
  std::vector<std::string> found;
  for (const Shop& shop : world.shops)
    for (const auto& id : shop.records)
      if (const auto reports = reports_.find(id.str()); reports != reports_.end())
        compare(reports->second, truth(copy, shop.key, id), copy.objects().stateOf(shop.key, id.str()),
                found);
  return found;
}

/// `record` and `state` belong to the object of the reports.
void Ledger::compare(const std::vector<Report>& reports, const PaymentRecord& record,
                     const std::optional<std::string>& state, std::vector<std::string>& found) {
  const Report& last = reports.back();
  const auto number = record.metadata.find(numberKey);
  if (number == record.metadata.end() || number->second != std::to_string(last.number))
    found.push_back(record.id.str() + " does not bear the number of its last report");
  if (state != stateAfter(last.operation))
    found.push_back(record.id.str() + " is not in the state of its last report");
  for (const Report& report : reports)
    if (&report != &last && stateAfter(report.operation) == "guaranteed")
      found.push_back(record.id.str() + " was changed after it was guaranteed");
}

}  // namespace tally::stress
