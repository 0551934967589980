#include "outbox/postgres/interleaving.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tally::test {

SteppedSession::SteppedSession(const std::string& url) : session_(url) {}

void SteppedSession::start(const std::string& sql) {
  if (PQsendQuery(session_, sql.c_str()) == 0) throw std::runtime_error{PQerrorMessage(session_)};
  isExecuting_ = true;
}

bool SteppedSession::hasArrived() {
  if (PQconsumeInput(session_) == 0) throw std::runtime_error{PQerrorMessage(session_)};
  return PQisBusy(session_) == 0;
}

void SteppedSession::receive() {
  std::string said = "none";
  while (PGresult* const next = PQgetResult(session_)) {
    const std::unique_ptr<PGresult, decltype(&PQclear)> result{next, &PQclear};
    if (const char* const state = PQresultErrorField(next, PG_DIAG_SQLSTATE); state != nullptr) said = state;
    if (PQntuples(next) > 0) said = PQgetisnull(next, 0, 0) != 0 ? "null" : PQgetvalue(next, 0, 0);
  }
  results_.push_back(said);
  isExecuting_ = false;
}

bool SteppedSession::awaitEnd(const Session& observer) {
  if (!isExecuting_) return true;
  const std::string isWaiting =
      "SELECT cardinality(pg_blocking_pids(" + std::to_string(PQbackendPID(session_)) + ")) > 0";
  while (!hasArrived())
    if (observer.value(isWaiting) == "t" && !hasArrived()) return false;
  receive();
  return true;
}

namespace {

std::string inDomain(std::string sql, const std::string& domain) {
  constexpr std::string_view placeholder = "{d}";
  for (auto at = sql.find(placeholder); at != std::string::npos; at = sql.find(placeholder, at))
    sql.replace(at, placeholder.size(), domain);
  return sql;
}

}  // namespace

std::string Race::Outcome::value(const std::string& sql) const {
  return session.value(inDomain(sql, domain));
}

bool Interleaving::hasEnded(std::size_t session) {
  const bool hasEnded = sessions_.at(session).awaitEnd(observer_);
  haveWaited_.at(session) = haveWaited_.at(session) || !hasEnded;
  return hasEnded;
}

Race::Outcome Interleaving::run(const Race& race, const std::string& order) {
  const std::string domain = race.name + std::to_string(++orders_);
  for (const std::string& sql : race.before)
    if (const auto said = observer_.run(inDomain(sql, domain)); !said.empty() && said.front().find(": ") == 5)
      throw std::runtime_error{said.front()};
  const std::array steps{&race.a, &race.b};
  std::array<std::size_t, 2> next{};
  haveWaited_ = {};
  std::string left = order;
  while (!left.empty()) {
    for (std::size_t at = 0; at < left.size(); ++at) {
      const auto which = static_cast<std::size_t>(left[at] - 'a');
      if (!hasEnded(which)) continue;
      left.erase(at, 1);
      sessions_.at(which).start(inDomain(steps.at(which)->at(next.at(which)++), domain));
      break;
    }
    for (const std::size_t which : {std::size_t{0}, std::size_t{1}})
      (void)hasEnded(which);
  }
  while (!hasEnded(0) || !hasEnded(1)) {
  }
  Race::Outcome outcome{.session = observer_,
                        .domain = domain,
                        .a = sessions_[0].results(),
                        .b = sessions_[1].results(),
                        .hasAWaited = haveWaited_[0],
                        .hasBWaited = haveWaited_[1]};
  for (SteppedSession& one : sessions_)
    one.clear();
  return outcome;
}

std::vector<std::string> Interleaving::faultsOf(const Race& race) {
  std::vector<std::string> faults;
  std::string order = std::string(race.a.size(), 'a') + std::string(race.b.size(), 'b');
  do {
    const Race::Outcome outcome = run(race, order);
    std::string fault = race.fault(outcome);
    if (fault.empty()) continue;
    faults.push_back(order + ": " + fault);
    for (const auto* results : {&outcome.a, &outcome.b})
      for (const std::string& one : *results)
        faults.back() += (results == &outcome.a ? " a=" : " b=") + one;
  } while (std::ranges::next_permutation(order).found);
  return faults;
}

}  // namespace tally::test
