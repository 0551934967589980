#include "outbox/differential/store_trace.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <iterator>
#include <utility>

namespace tally::test {

namespace {

using std::chrono::seconds;

/// One that the store has made is random.
std::string shown(const std::string& key) {
  constexpr std::size_t longestGiven = 2;
  return key.size() > longestGiven ? "made" : key;
}

/// A store may carry out a release before or after it has returned the head.
std::string answered(std::string text) {
  return text.starts_with("it is neither parked") ? "released" : std::move(text);
}

}  // namespace

StoreTrace::StoreTrace(StoreUnderTest& tested, std::uint64_t seed, bool rechecks)
    : tested_(tested), random_(seed), rechecks_(rechecks) {
  store().migrate();
  worker_ = store().enroll({.host = "host", .process = 1, .domains = {"shop"}});
  domain_ = worker_->claim("shop");
}

std::string StoreTrace::of(int steps) {
  for (int number = 0; number < steps; ++number) {
    out_ << '\n' << number << ": ";
    step();
  }
  return out_.str();
}

/// What workers do most often is the most frequent.
void StoreTrace::step() {
  using Operation = void (StoreTrace::*)();
  constexpr std::array<Operation, 24> operations{
      &StoreTrace::enqueue,       &StoreTrace::enqueue,  &StoreTrace::enqueue,
      &StoreTrace::enqueue,       &StoreTrace::enqueue,  &StoreTrace::enqueue,
      &StoreTrace::read,          &StoreTrace::read,     &StoreTrace::read,
      &StoreTrace::read,          &StoreTrace::decide,   &StoreTrace::decide,
      &StoreTrace::decide,        &StoreTrace::decide,   &StoreTrace::ask,
      &StoreTrace::ask,           &StoreTrace::carryOut, &StoreTrace::carryOut,
      &StoreTrace::list,          &StoreTrace::takeOver, &StoreTrace::restart,
      &StoreTrace::removeDecided, &StoreTrace::manage,   &StoreTrace::putOffParkOrIntend};
  (this->*random_.oneOf(operations))();
}

// ---- What a worker does

void StoreTrace::enqueue() {
  const std::string object = anyObject();
  const std::size_t key = random_.below(8);
  EnqueueOptions options{.priority = random_.oneIn(3) ? ReportPriority::low : ReportPriority::normal};
  constexpr seconds away{1'000};
  const std::size_t time = random_.below(6);
  if (time == 0) options.notBefore = tested_.now() + away;
  if (time == 1) options.notBefore = tested_.now() - away;
  const std::vector reports{failedReport(object, key < 4 ? "k" + std::to_string(key) : "")};
  const auto numbers = store().enqueueAll("shop", reports, options);
  out_ << "enqueue on " << object << ": ";
  if (!numbers) {
    out_ << "refused " << numbers.error().param();
    return;
  }
  appears(numbers->front());
  out_ << nameOf(numbers->front());
}

void StoreTrace::read() {
  out_ << "read";
  attempt([this] {
    const detail::DomainNews news = domain_->read(100, 100);
    take(news.heads);
    out_ << news.paused.value_or("");
    std::set<std::string> urgent;
    for (const std::uint64_t report : news.urgent)
      urgent.insert(nameOf(report));
    for (const std::string& name : urgent)
      out_ << "\n    urgent " << name;
    open_ = news.requests;
    for (const detail::OpenRequest& request : open_)
      out_ << "\n    " << requestName(request.id) << " about " << nameOf(request.report)
           << (request.isCancel ? " cancel" : "");
  });
}

void StoreTrace::decide() {
  if (held_.empty()) return;
  const Held held = pickHeld(false);
  const bool wasSent = !random_.oneIn(3);
  constexpr std::array outcomes{"applied", "refused", "unknown", "canceled"};
  const std::string outcome = outcomes[random_.below(wasSent ? 3 : 4)];
  detail::Batch batch{
      .outcomes = {{.report = held.report, .object = held.object, .outcome = outcome, .reason = "why"}}};
  constexpr seconds later{400};
  if (random_.oneIn(5)) batch.suspicions.push_back({.object = held.object, .delay = later});
  out_ << "decide " << nameOf(held.report) << ' ' << outcome << (wasSent ? " sent" : "");
  if (wasSent) write({.intents = {{.report = held.report, .before = random_.oneIn(2) ? R"({"b":1})" : ""}}});
  write(batch);
}

void StoreTrace::putOffParkOrIntend() {
  if (held_.empty()) return;
  const std::size_t what = random_.below(3);
  const std::uint64_t report = pickHeld(what == 2).report;
  constexpr std::array names{"put off ", "park ", "intend "};
  out_ << names[what] << nameOf(report);
  if (what == 0) write({.deferrals = {{.report = report, .delay = seconds{500}}}});
  if (what == 1) write({.parkings = {{.report = report, .reason = "three died"}}});
  if (what == 2) write({.intents = {{.report = report, .before = R"({"b":2})"}}});
}

/// Those about reports that the worker holds are left to it.
void StoreTrace::carryOut() {
  std::vector<std::uint64_t> others;
  for (const detail::OpenRequest& request : std::exchange(open_, {}))
    if (std::ranges::none_of(held_, [&](const auto& held) { return held.second.report == request.report; }))
      others.push_back(request.id);
  out_ << "carry out";
  attempt([&] {
    const std::vector<detail::Head> heads = domain_->carryOut(others);
    for (const std::uint64_t request : others) {
      const std::string answer = tested_.answerTo(request);
      constexpr std::string_view retried = "report ";
      if (answer.starts_with(retried)) appears(std::stoull(answer.substr(retried.size())));
      out_ << "\n    " << requestName(request) << ": " << normalized(answered(answer));
    }
    take(heads);
  });
}

void StoreTrace::takeOver() {
  const bool departs = random_.oneIn(2);
  out_ << "take over" << (departs ? " after a departure" : "");
  forgetHeld();
  domain_.reset();
  if (departs) worker_->depart();
  worker_.reset();
  worker_ = enrollSuccessor(store());
  domain_ = worker_->claim("shop");
}

void StoreTrace::restart() {
  out_ << "restart";
  forgetHeld();
  domain_->restart();
}

void StoreTrace::removeDecided() {
  constexpr std::size_t most = 100;
  constexpr seconds old{300};
  out_ << "remove";
  attempt([&] {
    (void)domain_->maintain();
    out_ << ' ' << domain_->removeDecided(old, most);
  });
}

// ---- What people do

void StoreTrace::ask() {
  if (reports_.empty()) return;
  const std::uint64_t report = random_.oneOf(reports_);
  constexpr std::array actions{"retry", "cancel", "release"};
  const char* const action = random_.oneOf(actions);
  out_ << "ask to " << action << ' ' << nameOf(report);
  attempt([&] { requests_.push_back(store().ask(action, report, "")); });
}

void StoreTrace::manage() {
  const std::string object = anyObject();
  constexpr seconds later{600};
  switch (random_.below(6)) {
    case 0:
      out_ << "erase " << object << ' ';
      return attempt([&] { out_ << store().erase("shop", object, ""); });
    case 1:
      out_ << "pause";
      return store().pause("shop", "p");
    case 2:
      out_ << "resume";
      return store().resume("shop", "");
    case 3:
      out_ << "rechecked " << object;
      return write({.rechecked = {object}});
    default:
      out_ << "later";
      return tested_.advance(later);
  }
}

void StoreTrace::list() {
  constexpr std::size_t most = 100;
  out_ << "list";
  Listed listed;
  for (const OutboxReportStatus& one : store().failed(most))
    listed["failed " + nameOf(one.report)] = one.state + ' ' + one.reason + ' ' + shown(one.key);
  for (const OutboxReportStatus& one : store().blocked(most))
    if (!one.reason.starts_with("is due"))  // another store may have returned it
      listed["blocked " + nameOf(one.report)] =
          one.state + ' ' + normalized(one.reason) + ' ' + shown(one.key);
  for (const OutboxRequestStatus& one : store().requests(most))
    listed[requestName(one.request)] =
        one.action + ' ' + nameOf(one.report) + ' ' + normalized(answered(one.answer));
  for (const OutboxStatus& one : store().status())
    listed["status"] = std::to_string(one.failed) + " failed " + one.paused;
  for (const auto& [what, text] : listed)
    out_ << "\n    " << what << ": " << text;
}

// ---- What the store returns

template <class Work>
void StoreTrace::attempt(Work work) {
  try {
    work();
  } catch (const OutboxError& error) {
    out_ << "\n    error: " << normalized(error.what());
  } catch (const detail::SessionOver&) {
    out_ << "\n    the session is over";
  }
}

void StoreTrace::write(const detail::Batch& batch) {
  attempt([&] { take(domain_->write(batch)); });
}

/// In the order of their appearance. One that was canceled before it was sent may be left out.
void StoreTrace::take(const std::vector<detail::Head>& heads) {
  std::map<std::size_t, std::string> lines;
  for (const detail::Head& head : heads) {
    if ((head.isCanceled && !head.mayHaveBeenSent) || (head.isRecheck && !rechecks_)) continue;
    const auto order = static_cast<std::size_t>(std::ranges::find(reports_, head.id) - reports_.begin());
    lines[order] = described(head);
    if (!head.isRecheck) held_[order] = {.report = head.id, .object = head.object};
  }
  for (const auto& [order, line] : lines)
    out_ << "\n    head " << line;
}

std::string StoreTrace::described(const detail::Head& head) const {
  std::ostringstream line;
  line << nameOf(head.id) << ' ' << head.object;
  if (!head.isRecheck)  // its priority and the deaths do not count
    line << (head.priority == ReportPriority::low ? " low" : "") << " deaths " << head.deaths;
  line << " retry " << head.retry << (head.isCanceled ? " canceled" : "")
       << (head.mayHaveBeenSent ? " sent" : "") << (head.isRecheck ? " recheck" : "") << ' ' << head.before
       << " earlier";
  for (const detail::MarkedReport& one : head.earlier)
    line << ' ' << shown(one.key) << '/' << one.retry;
  return std::move(line).str();
}

void StoreTrace::forgetHeld() {
  held_.clear();
  open_.clear();
}

StoreTrace::Held StoreTrace::pickHeld(bool stays) {
  const auto found = std::next(held_.begin(), static_cast<std::ptrdiff_t>(random_.below(held_.size())));
  Held held = found->second;
  if (!stays) held_.erase(found);
  return held;
}

// ---- Names

std::string StoreTrace::anyObject() {
  constexpr std::array objects{"pr_a", "pr_b", "pr_c"};
  return random_.oneOf(objects);
}

void StoreTrace::appears(std::uint64_t report) {
  if (std::ranges::find(reports_, report) == reports_.end()) reports_.push_back(report);
}

std::string StoreTrace::nameOf(std::uint64_t report) const {
  return 'r' + std::to_string(std::ranges::find(reports_, report) - reports_.begin());
}

std::string StoreTrace::requestName(std::uint64_t request) const {
  return 'q' + std::to_string(std::ranges::find(requests_, request) - requests_.begin());
}

std::string StoreTrace::normalized(std::string_view text) const {
  std::string normal;
  while (!text.empty()) {
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc{}) {
      normal += text.front();
      text.remove_prefix(1);
      continue;
    }
    normal += normal.ends_with("report ") ? nameOf(number) : "N";
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return normal;
}

}  // namespace tally::test
