#include "postgres/postgres_domain.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "postgres/postgres_array.h"
#include "postgres/server_state.h"
#include "text/decimal.h"
#include "text/readable.h"
#include "time/saturating.h"

namespace tally::detail {

namespace {

// PostgreSQL has no longer intervals than some 100 million years.
constexpr std::chrono::seconds longestAge = std::chrono::years{1'000};

constexpr std::array prioritiesByNumber{ReportPriority::normal, ReportPriority::low};

using Seconds = std::chrono::duration<double>;

// Unlike std::stod() and std::to_string(), independent of the locale of the application.

/// Zero for what is no number.
Seconds secondsOf(std::string_view text) {
  return Seconds{realNumberIn(text).value_or(0)};
}

std::string textOf(Seconds seconds) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), seconds.count()).ptr};
}

std::string numberArray(std::span<const std::uint64_t> numbers) {
  return arrayOf(numbers, [](std::uint64_t number) { return number; });
}

bool isTrue(const PostgresResult& result, int row, int column) {
  return result.text(row, column) == "t";
}

/// Parts of the text may come from the service, but PostgreSQL accepts only valid UTF-8 without NUL.
std::string storableText(const std::string& text) {
  std::string readable;
  appendReadable(readable, text, std::string::npos);
  return readable;
}

std::vector<MarkedReport> earlierIn(const std::string& json) {
  const boost::json::value parsed = boost::json::parse(json);
  std::vector<MarkedReport> reports;
  for (const auto& one : parsed.as_array())
    reports.push_back(
        {.key = std::string{one.at("key").as_string()}, .retry = one.at("retry").to_number<std::uint32_t>()});
  return reports;
}

Head headIn(const PostgresResult& result, int row) {
  const auto text = [&](int column) { return std::string{result.text(row, column)}; };
  return {.id = numberOf(result.text(row, 0)),
          .object = text(2),
          .account = text(3),
          .key = text(4),
          .contents = text(5),
          .priority = prioritiesByNumber.at(static_cast<std::size_t>(numberOf(result.text(row, 7)))),
          .retry = static_cast<std::uint32_t>(numberOf(result.text(row, 8))),
          .isCanceled = isTrue(result, row, 12),
          .mayHaveBeenSent = isTrue(result, row, 13),
          .isRecheck = isTrue(result, row, 16),
          .before = text(14),
          .deaths = static_cast<std::uint32_t>(numberOf(result.text(row, 15))),
          .earlier = result.isNull(row, 17) ? std::vector<MarkedReport>{} : earlierIn(text(17))};
}

}  // namespace

PostgresDomain::PostgresDomain(std::string url, std::string domain, Owner owner)
    : database_(std::move(url)), domain_(std::move(domain)), owner_(std::move(owner)) {}

// ---- The session

/// Executes a statement that checks the session. Repeats it if the connection breaks, so what it writes may
/// be written twice; not for ever, since the statement itself may be what breaks connections.
PostgresResult PostgresDomain::inSession(const std::function<PostgresResult()>& statement) {
  std::optional<std::chrono::steady_clock::time_point> until;  // from the first loss
  while (true) {
    try {
      if (isLost_) renewSession();
      return statement();
    } catch (const OutboxError& error) {
      if (!database_.isLost() && !saysThatServerIsGone(error.sqlState())) throw;
      loseConnection();
      const auto now = std::chrono::steady_clock::now();
      if (until && now >= *until) throw;
      if (until) std::this_thread::sleep_for(std::chrono::milliseconds{100});
      until = until.value_or(now + owner_.patience);
    }
  }
}

/// The scans begin again, since the server may have been restarted, or replaced by another one.
void PostgresDomain::loseConnection() {
  isFresh_ = false;
  durable_ = 0;
  isLost_ = true;
  database_.disconnect();
}

/// A new session fences what may still arrive from the last one.
void PostgresDomain::renewSession() {
  const PostgresResult renewed = database_.query("SELECT tally.renew($1, $2, $3, $4)",
                                                 {domain_, owner_.incarnation, acknowledged_, evidence_});
  if (renewed.isNull(0, 0)) throw SessionOver{};
  owner_.session = renewed.text(0, 0);
  isLost_ = false;
}

// ---- Reading

void PostgresDomain::restart() {
  outstanding_.clear();
  isFresh_ = false;
}

std::size_t PostgresDomain::deferredOnes() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(outstanding_, [](const auto& one) { return one.second.isDeferred; }));
}

/// What the scans of both priorities have found: for each report the head to be sent for it.
struct PostgresDomain::Rows {
  Snapshot snapshot{};
  Numbers ids{};
  Numbers xids{};
  Numbers heads{};
  Numbers priorities{};

  explicit Rows(const PostgresResult& row)
      : snapshot(Snapshot::fromText(row.text(0, 1))),
        ids(numbersOf(row.text(0, 2))),
        xids(numbersOf(row.text(0, 3))),
        heads(numbersOf(row.text(0, 4))),
        priorities(numbersOf(row.text(0, 5))) {}

  /// The last row of a priority if there may be more.
  [[nodiscard]] std::optional<ScanPosition> endOfPage(std::size_t priority, const Limits& atMost) const {
    const auto count = static_cast<std::size_t>(std::ranges::count(priorities, priority));
    if (count == 0 || count < atMost.at(priority)) return std::nullopt;
    const auto last = std::ranges::find(priorities.rbegin(), priorities.rend(), priority);
    const auto at = static_cast<std::size_t>(priorities.rend() - last) - 1;
    return ScanPosition{xids.at(at), ids.at(at)};
  }
};

/// A page counts as read only up to the last durable transaction, so one that goes beyond would be returned
/// again.
DomainNews PostgresDomain::read(std::size_t normal, std::size_t low) {
  const Limits atMost{normal, low};
  PostgresResult row = poll(atMost);
  Rows rows{row};
  if (goBeyondDurable(rows, atMost)) {
    writeMarks();
    row = poll(atMost);
    rows = Rows{row};
  }
  DomainNews news;
  if (!row.isNull(0, 0)) news.paused = row.text(0, 0);
  Numbers found = newHeads(rows, news);
  news.isComplete = advanceScans(rows, atMost);
  for (const std::uint64_t due : numbersOf(row.text(0, 6)))
    if (!outstanding_.contains(due)) found.push_back(due);
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  news.heads = take(found);
  noteFollowers(rows);

  const Numbers requests = numbersOf(row.text(0, 7));
  const Numbers reports = numbersOf(row.text(0, 8));
  const auto actions = plainElements(row.text(0, 9));
  for (std::size_t at = 0; at < requests.size(); ++at)
    news.requests.push_back(
        {.id = requests[at], .report = reports.at(at), .isCancel = actions.at(at) == "cancel"});
  return news;
}

/// Many reports take several statements, in case the role may execute none for long.
void PostgresDomain::renumberRestored() {
  constexpr std::uint64_t atMost = 10'000;
  for (std::uint64_t renumbered = atMost; renumbered == atMost;) {
    const PostgresResult result = database_.query("SELECT tally.renumber_restored($1, $2, $3)",
                                                  {domain_, owner_.session, std::to_string(atMost)});
    if (result.isNull(0, 0)) throw SessionOver{};
    renumbered = numberOf(result.text(0, 0));
  }
}

PostgresResult PostgresDomain::poll(const Limits& atMost) {
  PostgresResult row = inSession([&] {
    if (!isFresh_) {
      renumberRestored();
      const PostgresResult marks = database_.query("SELECT * FROM tally.settled_of($1)", {domain_});
      scans_.clear();
      for (int priority = 0; priority < marks.rows(); ++priority)
        scans_.emplace_back(
            ScanMark{.seen = Snapshot::fromText(marks.text(priority, 1)),
                     .first = Snapshot::fromText(marks.text(priority, 2)),
                     .after = {numberOf(marks.text(priority, 3)), numberOf(marks.text(priority, 4))}});
      isFresh_ = true;
    }
    const auto scans = [&](auto part) { return arrayOf(scans_, part); };
    const std::size_t both = atMost[0] + atMost[1];
    return database_.query(
        "SELECT * FROM tally.poll($1, $2, $3, $4, $5, $6, $7)",
        {domain_, owner_.session, scans([](const SnapshotScan& scan) { return scan.seen().toText(); }),
         scans([](const SnapshotScan& scan) { return scan.after().xid; }),
         scans([](const SnapshotScan& scan) { return scan.after().id; }),
         arrayOf(atMost, [](std::size_t number) { return number; }),
         std::to_string(both == 0 ? 0 : both + deferredOnes())});
  });
  if (row.rows() == 0) throw SessionOver{};
  return row;
}

bool PostgresDomain::goBeyondDurable(const Rows& rows, const Limits& atMost) const {
  return std::ranges::any_of(std::array{0U, 1U}, [&](std::size_t priority) {
    const auto end = rows.endOfPage(priority, atMost);
    return end && end->xid > durable_;
  });
}

PostgresDomain::Numbers PostgresDomain::newHeads(const Rows& rows, DomainNews& news) {
  Numbers found;
  for (std::size_t at = 0; at < rows.ids.size(); ++at) {
    const std::uint64_t head = rows.heads.at(at);
    const auto known = outstanding_.find(head);
    if (known == outstanding_.end()) {
      found.push_back(head);
    } else if (head != rows.ids[at] && !std::exchange(known->second.isUrgent, true)) {
      news.urgent.push_back(head);
    }
  }
  return found;
}

/// The scan of low priority would find these heads too late for the normal reports behind them.
void PostgresDomain::noteFollowers(const Rows& rows) {
  for (std::size_t at = 0; at < rows.ids.size(); ++at) {
    const auto head = outstanding_.find(rows.heads.at(at));
    if (rows.heads[at] == rows.ids[at] || head == outstanding_.end()) continue;
    const ScanPosition position{rows.xids.at(at), rows.ids[at]};
    head->second.follower = std::min(head->second.follower.value_or(position), position);
  }
}

/// Whether all has been read.
bool PostgresDomain::advanceScans(const Rows& rows, const Limits& atMost) {
  const Snapshot durable = rows.snapshot.below(durable_ + 1);
  bool isComplete = true;
  for (std::size_t priority = 0; priority < scans_.size(); ++priority) {
    if (atMost.at(priority) == 0) continue;
    if (const auto end = rows.endOfPage(priority, atMost)) {
      scans_[priority].pageRead(durable, *end);
      isComplete = false;
    } else {
      scans_[priority].allRead(durable);
    }
  }
  return isComplete;
}

/// If this fails, the scans begin again, since they don't find these heads any more.
std::vector<Head> PostgresDomain::take(const Numbers& heads) {
  if (heads.empty()) return {};
  isUnsettled_ = true;
  try {
    return describe(heads);
  } catch (...) {
    isFresh_ = false;
    throw;
  }
}

/// Those that can be sent now. The others are parked, or deferred until their time.
std::vector<Head> PostgresDomain::describe(const Numbers& heads) {
  const PostgresResult rows = inSession([&] {
    // A number with decimals, since `extra_float_digits` of the role may round others.
    return database_.query("SELECT d.*, d.due_in::numeric FROM tally.describe($1, $2, $3) d",
                           {domain_, owner_.session, numberArray(heads)});
  });
  std::vector<Head> taken;
  Batch tooEarly;
  for (int row = 0; row < rows.rows(); ++row) {
    Head head = headIn(rows, row);
    const bool isDeferred = isTrue(rows, row, 10);
    const bool isParked = isTrue(rows, row, 11);
    const Seconds dueIn = secondsOf(rows.text(row, 18));
    if (outstanding_.contains(head.id)) continue;
    if (head.isRecheck) {
      taken.push_back(std::move(head));
      continue;
    }
    const bool isWithdrawn = head.isCanceled && !head.mayHaveBeenSent;  // it is not sent, so it need not wait
    if (!isWithdrawn && isParked) continue;
    if (!isWithdrawn && dueIn > dueIn.zero()) {
      if (!isDeferred)
        tooEarly.deferrals.push_back({.report = head.id, .delay = saturatingNanoseconds(dueIn)});
      continue;
    }
    outstanding_.emplace(head.id,
                         Outstanding{.position = {numberOf(rows.text(row, 1)), head.id},
                                     .priority = static_cast<std::size_t>(numberOf(rows.text(row, 6))),
                                     .isDeferred = isDeferred || isParked,
                                     .isUrgent = head.priority == ReportPriority::normal});
    taken.push_back(std::move(head));
  }
  if (!tooEarly.empty()) (void)write(tooEarly);
  return taken;
}

// ---- Writing

std::vector<Head> PostgresDomain::write(const Batch& batch) {
  const auto intents = [&](auto part) { return arrayOf(batch.intents, part); };
  const auto outcomes = [&](auto part) { return arrayOf(batch.outcomes, part); };
  const auto deferrals = [&](auto part) { return arrayOf(batch.deferrals, part); };
  const auto parkings = [&](auto part) { return arrayOf(batch.parkings, part); };
  const PostgresResult written = inSession([&] {
    return database_.query(
        "SELECT * FROM tally.write($1, $2, $3, array_replace($4::text[], '', NULL), $5, $6, $7, $8, $9, $10, "
        "$11, $12, $13, $14, "
        "$15, $16, $17, $18)",
        {domain_, owner_.session, intents([](const Intent& one) { return one.report; }),
         intents([](const Intent& one) { return one.before; }),
         outcomes([](const Outcome& one) { return one.report; }),
         outcomes([](const Outcome& one) { return one.object; }),
         outcomes([](const Outcome& one) { return one.outcome; }),
         outcomes([](const Outcome& one) { return storableText(one.reason); }),
         deferrals([](const Deferral& one) { return one.report; }),
         deferrals([](const Deferral& one) { return textOf(one.delay); }),
         parkings([](const Parking& one) { return one.report; }),
         parkings([](const Parking& one) { return one.reason; }),
         arrayOf(batch.suspicions, [](const Suspicion& one) { return one.object; }),
         arrayOf(batch.suspicions, [](const Suspicion& one) { return textOf(one.delay); }),
         arrayOf(batch.rechecked, [](const std::string& one) { return one; }),
         arrayOf(batch.findings, [](const LateFinding& one) { return one.report; }),
         arrayOf(batch.findings, [](const LateFinding& one) { return storableText(one.finding); }),
         evidence_});
  });
  if (written.rows() == 0) throw SessionOver{};
  acknowledged_ = written.text(0, 1);
  if (!written.isNull(0, 3)) evidence_ = written.text(0, 3);
  settled(batch);
  committed(numberOf(written.text(0, 0)));
  return take(numbersOf(written.text(0, 2)));
}

void PostgresDomain::settled(const Batch& batch) {
  isUnsettled_ = true;
  for (const Outcome& one : batch.outcomes)
    outstanding_.erase(one.report);
  for (const Deferral& one : batch.deferrals)
    outstanding_.erase(one.report);
  for (const Parking& one : batch.parkings)
    outstanding_.erase(one.report);
}

void PostgresDomain::committed(std::uint64_t xid) {
  durable_ = std::max(durable_, xid);
}

std::vector<Head> PostgresDomain::carryOut(std::span<const std::uint64_t> requests) {
  const PostgresResult result = inSession([&] {
    return database_.query("SELECT * FROM tally.carry_out_all($1, $2, $3)",
                           {domain_, owner_.session, numberArray(requests)});
  });
  if (result.rows() == 0) throw SessionOver{};
  return take(numbersOf(result.text(0, 0)));
}

void PostgresDomain::answer(std::uint64_t request, const std::string& text) {
  const PostgresResult result = inSession([&] {
    return database_.query("SELECT tally.answer($1, $2, $3, $4)",
                           {domain_, owner_.session, std::to_string(request), text});
  });
  if (!isTrue(result, 0, 0)) throw SessionOver{};
}

void PostgresDomain::pause(const std::string& reason) {
  const PostgresResult result = inSession([&] {
    return database_.query("SELECT tally.pause_own($1, $2, $3)", {domain_, owner_.session, reason});
  });
  if (!isTrue(result, 0, 0)) throw SessionOver{};
}

ScanMark PostgresDomain::markOf(std::size_t priority) const {
  std::optional<ScanPosition> unsettled;
  const auto include = [&](ScanPosition position) {
    unsettled = std::min(unsettled.value_or(position), position);
  };
  for (const auto& [id, one] : outstanding_) {
    if (one.isDeferred) continue;
    if (one.priority == priority) include(one.position);
    if (one.follower && prioritiesByNumber.at(priority) == ReportPriority::normal) include(*one.follower);
  }
  return scans_[priority].markBefore(unsettled);
}

/// The next owner's scan begins here, so this is of no use while nothing has been read or decided. But the
/// polls read again what they have passed since the last durable transaction: what waits behind a head that
/// can't be sent. So it may still be of use that this is one.
void PostgresDomain::settle() {
  if (!isFresh_) return;
  if (isUnsettled_) return writeMarks();
  writeMarks(durable_ + 1);
}

/// Also makes a transaction of this worker durable. The marks belong to a connection: once that has been
/// replaced, the scans begin again, and nothing is written. Nor if there are no reports of transactions from
/// `beyond` on.
void PostgresDomain::writeMarks(std::optional<std::uint64_t> beyond) {
  const std::array marks{markOf(0), markOf(1)};
  const auto parts = [&](auto part) { return arrayOf(marks, part); };
  const NullableText condition = beyond ? NullableText{std::to_string(*beyond)} : NullableText{};
  const PostgresResult result = inSession([&] {
    if (!isFresh_) return PostgresResult{nullptr};
    return database_.query(
        "SELECT tally.settle($1, $2, $3, $4, $5, $6, $7)",
        {domain_, owner_.session, parts([](const ScanMark& one) { return one.seen.toText(); }),
         parts([](const ScanMark& one) { return one.first.toText(); }),
         parts([](const ScanMark& one) { return one.after.xid; }),
         parts([](const ScanMark& one) { return one.after.id; }), condition});
  });
  if (!isFresh_) return;
  if (result.isNull(0, 0)) throw SessionOver{};
  committed(numberOf(result.text(0, 0)));
  isUnsettled_ = false;
}

void PostgresDomain::maintain() {
  settle();
  const PostgresResult maintained =
      inSession([&] { return database_.query("SELECT tally.maintain($1, $2)", {domain_, owner_.session}); });
  if (!isTrue(maintained, 0, 0)) throw SessionOver{};
}

std::size_t PostgresDomain::removeDecided(std::chrono::seconds age, std::size_t limit) {
  const PostgresResult removed = inSession([&] {
    return database_.query(
        "SELECT tally.remove_decided($1, $2::bigint * interval '1 second', $3)",
        {domain_, std::to_string(std::min(age, longestAge).count()), std::to_string(limit)});
  });
  return static_cast<std::size_t>(numberOf(removed.text(0, 0)));
}

void PostgresDomain::writeLate(std::span<const LateFinding> findings) noexcept {
  try {
    (void)database_.query(
        "SELECT tally.write_late($1, $2, $3, $4)",
        {domain_, owner_.incarnation, arrayOf(findings, [](const LateFinding& one) { return one.report; }),
         arrayOf(findings, [](const LateFinding& one) { return storableText(one.finding); })});
  } catch (...) {
    // It would only have been a hint.
  }
}

}  // namespace tally::detail
